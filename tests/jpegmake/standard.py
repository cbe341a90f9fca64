"""The example Huffman tables of the standard (Annex K.3): what most encoders write."""

from __future__ import annotations

from jpegmake.tables import HuffmanTable

# Runs and sizes of AC symbols in order of code, as the standard lists them.
_LUMA_AC = """
0102030004110512213141061351610722711432 8191a1082342b1c11552d1f0243362728209
0a161718191a25262728292a3435363738393a43 4445464748494a535455565758595a63646566
6768696a737475767778797a838485868788898a 92939495969798999aa2a3a4a5a6a7a8a9aab2
b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4 d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3
f4f5f6f7f8f9fa"""
_CHROMA_AC = """
0001020311040521310612415107617113223281 0814 4291a1b1c109233352f0156272d10a1624
34e125f11718191a262728292a35363738393a43 4445464748494a535455565758595a63646566
6768696a737475767778797a82838485868788 898a92939495969798999aa2a3a4a5a6a7a8a9aa
b2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3 d4d5d6d7d8d9dae2e3e4e5e6e7e8e9eaf2f3f4
f5f6f7f8f9fa"""

DC = (
    HuffmanTable((0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0), bytes(range(12))),
    HuffmanTable((0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0), bytes(range(12))),
)
AC = (
    HuffmanTable((0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125), bytes.fromhex(_LUMA_AC)),
    HuffmanTable((0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 119), bytes.fromhex(_CHROMA_AC)),
)
