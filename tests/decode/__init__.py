"""Tests of decoding: what the pixels must be, and what must be refused."""
