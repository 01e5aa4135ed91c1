"""Whether a text is a unit by the grammar of UCUM (https://ucum.org/ucum, section 2), with the atoms that health data has."""
import re

PREFIXES = {"Y", "Z", "E", "P", "T", "G", "M", "k", "h", "da", "d", "c", "m", "u", "n", "p", "f", "a", "z", "y"}
METRIC = {"m", "s", "g", "rad", "K", "C", "cd", "mol", "Hz", "N", "Pa", "J", "W", "A", "V", "F", "Ohm", "S", "Wb", "Cel", "T", "H",
          "lm", "lx", "Bq", "Gy", "Sv", "l", "L", "ar", "t", "bar", "u", "eV", "pc", "cal", "B[SPL]", "B", "[iU]", "m[Hg]",
          "m[H2O]", "eq", "osm"}
OTHER = {"%", "10*", "10^", "[pi]", "min", "h", "d", "wk", "mo", "a", "deg", "atm", "[in_i]", "[ft_i]", "[yd_i]", "[mi_i]",
         "[lb_av]", "[oz_av]", "[stone_av]", "[foz_us]", "[foz_br]", "[pt_us]", "[pt_br]", "[cup_us]", "[in_i'Hg]", "[diop]",
         "[p'diop]", "[degF]", "[Cal]", "[iU]", "[ppth]", "[ppm]"}
ATOM = re.compile(r"(?:\[[^\]]*\]|[A-Za-z%*^'_]|10[*^])+")


def is_atom(text):
    if text in METRIC or text in OTHER:
        return True
    return any(text.startswith(prefix) and text[len(prefix):] in METRIC for prefix in PREFIXES)


class Parser:
    def __init__(self, text):
        self.text, self.place = text, 0

    def next(self, characters):
        return self.place < len(self.text) and self.text[self.place] in characters

    def annotation(self):
        if not self.next("{"):
            return False
        end = self.text.index("}", self.place)
        self.place = end + 1
        return True

    def factor(self):
        if self.next("("):
            self.place += 1
            self.term()
            if not self.next(")"):
                raise ValueError("no closing parenthesis")
            self.place += 1
            return
        if self.annotation():
            return
        digits = re.compile("[0-9]+(?![*^])").match(self.text, self.place)
        if digits:
            self.place = digits.end()
            return
        found = ATOM.match(self.text, self.place)
        if not found or not is_atom(found.group()):
            raise ValueError(f"no unit at {self.place}")
        self.place = found.end()
        exponent = re.compile("[+-]?[0-9]+").match(self.text, self.place)
        self.place = exponent.end() if exponent else self.place
        self.annotation()

    def term(self):
        if self.next("/"):
            self.place += 1
        self.factor()
        while self.next("./"):
            self.place += 1
            self.factor()


def is_unit(text):
    parser = Parser(text)
    try:
        parser.term()
    except ValueError:
        return False
    return parser.place == len(text)
