-- Format 1. Later formats add to it; see the list in open.rs.
--
-- Numbers of campaigns are random, and numbers of tests, runs, metrics and files are made of what
-- they name, so that they are the same in every file. Elements and requirements, of which there are
-- many, are numbered in the order of coming up; their `key` is made of what they name.

CREATE TABLE campaigns (
    id        INTEGER PRIMARY KEY,
    family    INTEGER NOT NULL,      -- what the shards of one campaign have in common
    shard     TEXT,                  -- as 2/4
    began     INTEGER NOT NULL,      -- milliseconds since 1970
    ended     INTEGER,               -- nothing if it was killed, or is still going on
    revision  INTEGER NOT NULL,      -- counts what is written to the campaign itself
    commit_id TEXT,                  -- of the user's repository
    tree      TEXT,                  -- clean or changed
    selvedge  TEXT NOT NULL,
    toolchain TEXT NOT NULL
) STRICT;

CREATE TABLE tests (
    id      INTEGER PRIMARY KEY,
    package TEXT NOT NULL,
    target  TEXT NOT NULL,
    kind    TEXT NOT NULL,
    name    TEXT NOT NULL
) STRICT;

-- One test in one campaign.
CREATE TABLE runs (
    id           INTEGER PRIMARY KEY,
    campaign     INTEGER NOT NULL REFERENCES campaigns,
    test         INTEGER NOT NULL REFERENCES tests,
    revision     INTEGER NOT NULL,   -- counts what is written to the run
    build        INTEGER NOT NULL,   -- made of the test binary
    settings     TEXT NOT NULL,      -- JSON: those that differ from the defaults
    strategy     TEXT NOT NULL,
    seed         INTEGER NOT NULL,
    threads      INTEGER NOT NULL,
    ending       TEXT,               -- nothing if it was killed, or is still going on
    message      TEXT,               -- how it died, why it failed, what does not fit
    warnings     TEXT NOT NULL,      -- JSON
    conditions   TEXT NOT NULL       -- JSON
) STRICT;
CREATE INDEX runs_of_campaign ON runs (campaign);
CREATE INDEX runs_of_test ON runs (test);

-- The executions of a run, by the processes that ran them.
CREATE TABLE slices (
    run          INTEGER NOT NULL REFERENCES runs,
    number       INTEGER NOT NULL,
    seed         INTEGER NOT NULL,
    began        INTEGER NOT NULL,
    executions   INTEGER NOT NULL,
    steps        INTEGER NOT NULL,
    milliseconds INTEGER NOT NULL,
    PRIMARY KEY (run, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE metrics (
    id   INTEGER PRIMARY KEY,
    name TEXT NOT NULL
) STRICT;

CREATE TABLE files (
    id   INTEGER PRIMARY KEY,
    name TEXT NOT NULL
) STRICT;

-- What requirements are made of, each once.
CREATE TABLE elements (
    id     INTEGER PRIMARY KEY,
    key    INTEGER NOT NULL UNIQUE,
    role   TEXT NOT NULL,            -- what it is in a requirement, such as then
    kind   TEXT NOT NULL,            -- line, code, object, thread, set, state or nothing
    file   INTEGER REFERENCES files, -- where it is, was made or spawned
    line   INTEGER,
    column INTEGER,
    detail TEXT NOT NULL,            -- what else tells it from others; of a set, the keys of its members
    text   TEXT NOT NULL             -- for people
) STRICT;

CREATE TABLE requirements (
    id     INTEGER PRIMARY KEY,
    key    INTEGER NOT NULL UNIQUE,
    metric INTEGER NOT NULL REFERENCES metrics
) STRICT;

CREATE TABLE parts (
    requirement INTEGER NOT NULL REFERENCES requirements,
    position    INTEGER NOT NULL,
    element     INTEGER NOT NULL REFERENCES elements,
    PRIMARY KEY (requirement, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE covered (
    run         INTEGER NOT NULL REFERENCES runs,
    requirement INTEGER NOT NULL REFERENCES requirements,
    frequency   INTEGER NOT NULL,    -- in 1, in 2, in 3 or more executions
    first       INTEGER NOT NULL,    -- the first of them, from 1
    PRIMARY KEY (run, requirement)
) STRICT, WITHOUT ROWID;

-- What is thought to be possible and was not covered.
CREATE TABLE uncovered (
    run         INTEGER NOT NULL REFERENCES runs,
    requirement INTEGER NOT NULL REFERENCES requirements,
    PRIMARY KEY (run, requirement)
) STRICT, WITHOUT ROWID;

CREATE TABLE growth (
    run       INTEGER NOT NULL REFERENCES runs,
    metric    INTEGER NOT NULL REFERENCES metrics,
    execution INTEGER NOT NULL,
    covered   INTEGER NOT NULL,
    PRIMARY KEY (run, metric, execution)
) STRICT, WITHOUT ROWID;

-- What is said of a metric when an exploration has come to its end.
CREATE TABLE measured (
    run       INTEGER NOT NULL REFERENCES runs,
    metric    INTEGER NOT NULL REFERENCES metrics,
    weight    INTEGER,
    average   REAL NOT NULL,
    aimed     INTEGER,
    covered   INTEGER,               -- as the estimate of what remains counts it
    unseen    REAL,
    next      REAL,
    saturated INTEGER,
    PRIMARY KEY (run, metric)
) STRICT, WITHOUT ROWID;

CREATE TABLE findings (
    id          TEXT PRIMARY KEY,
    kind        TEXT NOT NULL,
    headline    TEXT NOT NULL,
    found       INTEGER NOT NULL,    -- when it was found last, in milliseconds since 1970
    json        TEXT NOT NULL,       -- finding.json
    explanation TEXT NOT NULL
) STRICT;

CREATE TABLE found (
    run       INTEGER NOT NULL REFERENCES runs,
    finding   TEXT NOT NULL REFERENCES findings,
    execution INTEGER NOT NULL,
    PRIMARY KEY (run, finding)
) STRICT, WITHOUT ROWID;

-- For people with other tools: requirements as sentences.
CREATE VIEW requirement_texts AS
SELECT id, metric, group_concat(text, ', ') AS text FROM (
    SELECT requirements.id AS id, metrics.name AS metric,
           trim(elements.role || ' ' || elements.text) AS text
    FROM requirements
    JOIN metrics ON metrics.id = requirements.metric
    JOIN parts ON parts.requirement = requirements.id
    JOIN elements ON elements.id = parts.element
    ORDER BY requirements.id, parts.position
) GROUP BY id;
