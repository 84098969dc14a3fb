"""A tiny byte-level tokenizer, as a `tokenizer.json` of the kind that comes with a checkpoint."""

from __future__ import annotations

from pathlib import Path

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

WORDS = "The lamp was lit at four, the keeper painted the door green, and the ledger is on the shelf of the lamp room. "


def save(path: Path) -> str:
    """Write it there; returns the path as an option takes it."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=320, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False, special_tokens=["<|end|>"]
    )
    tokenizer.train_from_iterator([WORDS], trainer)
    tokenizer.save(str(path))
    return str(path)
