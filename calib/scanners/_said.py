"""What the scanners count, in words: theirs, once more, for those who do not want to load them all."""

LEVELS = {
    "gemini_chanting": "times one window of 50 characters came, up to 10",
    "guard_brackets": "longest run of one corner bracket",
    "guard_characters": "longest run of one other character, layout and white space aside",
    "guard_litter": "opening corner quotes less closing ones, where they are dense",
    "guard_cue_words": "longest run of the, an or hmm while one word dominates",
    "guard_words": "longest run of another word while one word dominates",
    "guard_pairs": "neighbouring equal words at an article or filler while one word dominates more",
    "guard_symbols": "longest run of one token of symbols",
    "guard_equals": 'neighbouring pairs of "=" while "=" dominates',
    "qwen_chanting": "times one window of 50 characters came, up to 10, close together",
    "repeated_block": "copies of a block of words at the end",
    "repeated_lines": "times the most frequent of the last 48 lines is there, where few differ",
    "repeated_tail": "copies of a short unit at the end of an unfinished line",
    "repeated_window": "percentage of the last 2,000 characters that repeats",
    "runaway": "percentage of a very long text that repeats",
    "tail_characters": "copies of a unit of characters side by side at the end",
    "tail_words": "copies of a unit of words side by side at the end",
    "thinking_cycle": "how far an exact cycle at the end has come, in percent",
    "thinking_cluster": "paragraphs of the last 16 that are nearly the same",
    "thinking_stall": "paragraphs in a row without new words or names",
}
"""Each level with its meaning, in the order of the scanners."""
