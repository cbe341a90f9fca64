//! What Examples of images say, ours and others'.

use pixfeed_core::fault::{Code, Fault};
use pixfeed_core::record::{
    Builder, Example, Label, Layout, Limits, List, Schema, Shard, Slot, Value, View,
};
use proptest::prelude::*;

use crate::given::golden;

fn images() -> Vec<Vec<u8>> {
    let shard = Shard::open(&golden("images.tfrecord")).unwrap();
    let (mut scan, mut all) = (shard.scan(Limits::default()), Vec::new());
    while let Some(record) = scan.next() {
        all.push(record.unwrap().payload.to_vec());
    }
    all
}

#[test]
fn an_image_as_the_scripts_for_imagenet_write_it() {
    let payload = &images()[0];
    let view = View::read(payload, &Schema::default()).unwrap();
    assert_eq!(view.encoded, Some(&b"\xff\xd8jpeg\xff\xd9"[..]));
    assert_eq!(&payload[view.encoded_in(payload).unwrap()], view.encoded.unwrap());
    assert_eq!((view.format, view.colorspace), (Some("JPEG"), Some("RGB")));
    assert_eq!((view.height, view.width, view.channels), (Some(375), Some(500), Some(3)));
    assert_eq!((view.class(), view.synset), (Some(42), Some("n01440764")));
    assert_eq!((view.text, view.key), (Some("tench, Tinca tinca"), None));
    assert_eq!((view.filename, view.order), (Some("n01440764_10026.JPEG"), None));
    let mut again = Vec::new();
    view.write(&[("image/object/bbox/xmin", Value::Floats(&[0.25, 0.5]))], &mut again);
    assert_eq!(&again, payload);
}

#[test]
fn an_image_with_little_said_of_it() {
    let payload = &images()[1];
    let view = View::read(payload, &Schema::default()).unwrap();
    assert_eq!((view.encoded, view.format), (Some(&b"png"[..]), Some("png")));
    assert_eq!((view.class(), view.text, view.height), (Some(-1), None, None));
    let view = View::read(payload, &Schema::of(&[Slot::Encoded])).unwrap();
    assert!(view.encoded.is_some() && view.format.is_none() && view.label.is_none());
}

#[test]
fn a_tensor_with_several_labels() {
    let payload = &images()[2];
    let view = View::read(payload, &Schema::default()).unwrap();
    assert_eq!((view.format, view.order), (Some("tensor"), Some(Layout::Chw)));
    assert_eq!((view.key, view.class()), (Some("é/1.png"), None));
    let Some(Label::Many(feature)) = view.label else { panic!("{:?}", view.label) };
    let List::Floats(values) = feature.list() else { panic!("{feature:?}") };
    assert_eq!(values.collect::<Vec<_>>(), [0.5, 0.25]);
    let mut again = Vec::new();
    view.write(&[], &mut again);
    assert_eq!(&again, payload);
}

#[test]
fn a_foreign_image_by_its_names() {
    let payload = &images()[3];
    let mut schema = Schema::of(&[]);
    schema.map(Slot::Encoded, Some("jpeg")).map(Slot::Label, Some("target"));
    let view = View::read(payload, &schema).unwrap();
    assert_eq!(view.encoded, Some(&b"picture"[..]));
    assert!(matches!(view.label, Some(Label::Many(feature)) if feature.len() == 2));
    assert!(View::read(payload, &Schema::default()).unwrap().encoded.is_none());
}

#[test]
fn further_features_pass_and_take_our_places() {
    let payload = &images()[0];
    let [box_] = Example::new(payload).find(&["image/object/bbox/xmin"]).unwrap();
    let raw = Value::Raw(box_.unwrap().raw());
    let view = View { height: Some(1), label: Some(Label::One(2)), ..View::default() };
    let mut out = Vec::new();
    let further = [("image/object/bbox/xmin", raw), ("image/class/label", Value::Ints(&[3, 4]))];
    view.write(&further, &mut out);
    let read = View::read(&out, &Schema::default()).unwrap();
    assert!(matches!(read.label, Some(Label::Many(feature)) if feature.len() == 2));
    let [passed] = Example::new(&out).find(&["image/object/bbox/xmin"]).unwrap();
    assert!(matches!(passed.unwrap().list(), List::Floats(floats) if floats.len() == 2));
}

fn refused(name: &str, value: Value<'_>) -> Fault {
    let mut payload = Vec::new();
    Builder::new().add("a", Value::Int(1)).add(name, value).write(&mut payload);
    View::read(&payload, &Schema::default()).unwrap_err()
}

#[test]
fn what_a_feature_cannot_be_is_named() {
    let fault = refused("image/height", Value::Text("3"));
    assert_eq!((fault.code, fault.offset), (Code::FeatureKind, Some(32)));
    assert!(fault.found.starts_with("image/height: "), "{fault}");
    assert_eq!(refused("image/height", Value::Int(-1)).code, Code::FeatureValue);
    assert_eq!(refused("image/width", Value::Int(1 << 32)).code, Code::FeatureValue);
    assert_eq!(refused("image/channels", Value::Ints(&[1, 3])).code, Code::FeatureCount);
    assert_eq!(refused("image/encoded", Value::Int(1)).code, Code::FeatureKind);
    assert_eq!(refused("image/encoded", Value::BytesList(&[b"", b""])).code, Code::FeatureCount);
    assert_eq!(refused("image/key", Value::Bytes(b"\xff")).code, Code::FeatureValue);
    assert_eq!(refused("image/class/text", Value::Float(1.0)).code, Code::FeatureKind);
    let fault = refused("image/order", Value::Text("WHC or something longer"));
    assert_eq!(fault.code, Code::FeatureValue);
    assert!(fault.found.ends_with("\"WHC or something lon\", neither HWC nor CHW"), "{fault}");
}

proptest! {
    #[test]
    fn what_is_written_is_read(
        encoded in prop::option::of(prop::collection::vec(any::<u8>(), 0..300)),
        (height, width, channels) in any::<(Option<u32>, Option<u32>, Option<u32>)>(),
        [format, colorspace, synset, text, filename, key] in
            std::array::from_fn::<_, 6, _>(|_| prop::option::of(".{0,20}")),
        class in any::<Option<i64>>(),
        order in prop::option::of(prop_oneof![Just(Layout::Hwc), Just(Layout::Chw)]),
    ) {
        let label = class.map(Label::One);
        let (format, colorspace) = (format.as_deref(), colorspace.as_deref());
        let (synset, text) = (synset.as_deref(), text.as_deref());
        let (filename, key) = (filename.as_deref(), key.as_deref());
        let encoded = encoded.as_deref();
        let view = View {
            encoded, format, height, width, channels, colorspace, order, label, synset, text,
            filename, key,
        };
        let mut payload = Vec::new();
        view.write(&[("further", Value::Int(1))], &mut payload);
        let read = View::read(&payload, &Schema::default()).unwrap();
        prop_assert_eq!((read.encoded, read.order, read.class()), (encoded, order, class));
        prop_assert_eq!((read.height, read.width, read.channels), (height, width, channels));
        prop_assert_eq!((read.format, read.colorspace), (format, colorspace));
        prop_assert_eq!((read.synset, read.text), (synset, text));
        prop_assert_eq!((read.filename, read.key), (filename, key));
    }
}
