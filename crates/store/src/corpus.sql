-- Format 2: executions that are worth going on from.

CREATE TABLE corpus (
    run   INTEGER NOT NULL REFERENCES runs,
    key   INTEGER NOT NULL,          -- made of the entry, which is kept once
    entry TEXT NOT NULL,             -- JSON
    PRIMARY KEY (run, key)
) STRICT, WITHOUT ROWID;
