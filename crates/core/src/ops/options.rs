//! An op's options as they come from outside: named values, checked as they are taken.

use std::collections::BTreeMap;

use super::resize::Filter;
use crate::fault::{Code, Fault};

/// One option.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Left out.
    None,
    /// Yes or no.
    Flag(bool),
    /// A number.
    Number(f64),
    /// A word.
    Text(String),
    /// Several numbers.
    List(Vec<f64>),
}

/// The options of one op.
///
/// ```
/// use pixfeed_core::ops::options::{Options, Value};
/// let options = Options::from([("p", Value::Number(0.5))]);
/// assert_eq!(options.number("p").unwrap(), 0.5);
/// assert!(options.size("size").is_err());
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options(BTreeMap<String, Value>);

impl<const N: usize> From<[(&str, Value); N]> for Options {
    fn from(options: [(&str, Value); N]) -> Self {
        options.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

impl FromIterator<(String, Value)> for Options {
    fn from_iter<T: IntoIterator<Item = (String, Value)>>(options: T) -> Self {
        Self(options.into_iter().collect())
    }
}

impl Options {
    fn get(&self, name: &str) -> &Value {
        self.0.get(name).unwrap_or(&Value::None)
    }

    fn wrong<T>(&self, name: &str, wanted: &str) -> Result<T, Fault> {
        let found = format!("the option {name} is {:?}, not {wanted}", self.get(name));
        Err(Fault::new(Code::BadRequest, "", found))
    }

    /// A number.
    ///
    /// # Errors
    /// When it is none; so for all others.
    pub fn number(&self, name: &str) -> Result<f64, Fault> {
        match self.get(name) {
            Value::Number(number) if number.is_finite() => Ok(*number),
            _ => self.wrong(name, "a number"),
        }
    }

    /// A number, or none.
    ///
    /// # Errors
    /// When it is something else.
    pub fn maybe_number(&self, name: &str) -> Result<Option<f64>, Fault> {
        match self.get(name) {
            Value::None => Ok(None),
            _ => self.number(name).map(Some),
        }
    }

    /// Yes or no.
    ///
    /// # Errors
    /// When it is something else.
    pub fn flag(&self, name: &str) -> Result<bool, Fault> {
        match self.get(name) {
            Value::Flag(flag) => Ok(*flag),
            _ => self.wrong(name, "true or false"),
        }
    }

    /// A word.
    ///
    /// # Errors
    /// When it is something else.
    pub fn text(&self, name: &str) -> Result<&str, Fault> {
        match self.get(name) {
            Value::Text(text) => Ok(text),
            _ => self.wrong(name, "a text"),
        }
    }

    /// As many numbers as there are.
    ///
    /// # Errors
    /// When they are something else.
    pub fn list(&self, name: &str) -> Result<&[f64], Fault> {
        match self.get(name) {
            Value::List(list) if list.iter().all(|number| number.is_finite()) => Ok(list),
            _ => self.wrong(name, "a list of numbers"),
        }
    }

    /// Numbers, or none.
    ///
    /// # Errors
    /// When they are something else.
    pub fn maybe_list(&self, name: &str) -> Result<Option<&[f64]>, Fault> {
        match self.get(name) {
            Value::None => Ok(None),
            _ => self.list(name).map(Some),
        }
    }

    /// Two numbers, the first not above the second.
    ///
    /// # Errors
    /// When they are something else.
    pub fn range(&self, name: &str) -> Result<(f64, f64), Fault> {
        match *self.list(name)? {
            [low, high] if low <= high => Ok((low, high)),
            _ => self.wrong(name, "two numbers, the lower first"),
        }
    }

    /// Whole numbers below 2^30, as many as asked for.
    ///
    /// # Errors
    /// When they are something else.
    pub fn whole<const N: usize>(&self, name: &str) -> Result<[u32; N], Fault> {
        let list = self.list(name)?;
        let fits =
            |number: &f64| *number >= 0.0 && number.fract() == 0.0 && *number < f64::from(1 << 30);
        match <[f64; N]>::try_from(list) {
            Ok(numbers) if numbers.iter().all(fits) => Ok(numbers.map(|number| number as u32)),
            _ => self.wrong(name, "whole numbers in the right count"),
        }
    }

    /// Height and width, as (width, height).
    ///
    /// # Errors
    /// When one is missing or zero.
    pub fn size(&self, name: &str) -> Result<(u32, u32), Fault> {
        match self.whole::<2>(name)? {
            [0, _] | [_, 0] => self.wrong(name, "a height and a width from 1 up"),
            [height, width] => Ok((width, height)),
        }
    }

    /// A colour.
    ///
    /// # Errors
    /// When it is something else.
    pub fn colour(&self, name: &str) -> Result<[u8; 3], Fault> {
        let colour = self.whole::<3>(name)?;
        if colour.iter().any(|&value| value > 255) {
            return self.wrong(name, "three numbers from 0 to 255");
        }
        Ok(colour.map(|value| value as u8))
    }

    /// A filter by its name.
    ///
    /// # Errors
    /// When there is none of this name.
    pub fn filter(&self, name: &str) -> Result<Filter, Fault> {
        Ok(match self.text(name)? {
            "nearest" => Filter::Nearest,
            "bilinear" => Filter::Bilinear,
            "bicubic" => Filter::Bicubic,
            "lanczos" => Filter::Lanczos,
            _ => return self.wrong(name, "a filter"),
        })
    }
}
