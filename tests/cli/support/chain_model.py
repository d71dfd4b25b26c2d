# Writes a model whose only tree is one chain of splits, byte by byte as doc/model_format.md has it.
# usage: chain_model.py SPLITS left|right FILE
import array
import json
import struct
import sys
import zlib

RIGHT_IS_LEAF = 1 << 30


def sections(splits, down_the_left):
    right = [splits if down_the_left else i + 1 for i in range(splits)]
    thresholds = [0.5 * (splits - i if down_the_left else i) for i in range(splits)]
    codes = [i % 2 | (RIGHT_IS_LEAF if right[i] == splits else 0) for i in range(splits)]
    return [
        ("tree.first_split", "U32", [2], array.array("I", [0, splits])),
        ("split.right", "U32", [splits], array.array("I", right)),
        ("split.threshold", "U32", [splits], array.array("f", thresholds)),
        ("split.code", "U32", [splits], array.array("I", codes)),
        ("category.words", "U32", [0], array.array("I")),
        ("leaf.payload", "F32", [2, 2], array.array("f", [0.25, 0.75, 1, 0])),
        ("leaf.support", "F32", [splits + 1], array.array("f", [1]) * (splits + 1)),
        ("leaf.row", "U8", [splits + 1], array.array("B", [0, 1] * (splits // 2 + 1))[: splits + 1]),
    ]


def main():
    splits, side, path = int(sys.argv[1]), sys.argv[2], sys.argv[3]
    schema = {
        "features": [{"name": name, "kind": "numeric"} for name in "xy"],
        "targets": ["label"],
        "classes": ["a", "b"],
    }
    header = {
        "__metadata__": {
            "format": "coppice",
            "format_version": "1.0",
            "checksum": "00000000",
            "payload_kind": "class_histogram",
            "schema": json.dumps(schema),
            "options": "{}",
            "facts": "{}",
        }
    }
    data = b""
    for name, dtype, shape, values in sections(splits, side == "left"):
        end = len(data) + len(values) * values.itemsize
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), end]}
        data += values.tobytes()
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-(8 + len(text)) % 64)
    file = struct.pack("<Q", len(text)) + text + data
    checksum = b'"checksum":"%08x"' % zlib.crc32(file)
    with open(path, "wb") as out:
        out.write(file.replace(b'"checksum":"00000000"', checksum, 1))


main()
