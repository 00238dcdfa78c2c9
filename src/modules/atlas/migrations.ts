import type { ModuleMigrations } from '../database';
import { seedSql } from './seed';

/** Codes and names are compared in any letter case, as the API has always done. */
const sqlite = `
  CREATE TABLE countries (
    country_code TEXT NOT NULL COLLATE NOCASE PRIMARY KEY,
    name TEXT NOT NULL,
    official_name TEXT NOT NULL,
    capital TEXT,
    region TEXT NOT NULL COLLATE NOCASE,
    subregion TEXT NOT NULL COLLATE NOCASE,
    currencies JSON NOT NULL,
    languages JSON NOT NULL,
    area REAL NOT NULL,
    location JSON NOT NULL,
    search_names TEXT NOT NULL,
    search_languages TEXT NOT NULL,
    currency TEXT GENERATED ALWAYS AS (currencies ->> '$[0].code') VIRTUAL,
    language TEXT GENERATED ALWAYS AS (languages ->> '$[0].code') VIRTUAL,
    latitude REAL NOT NULL GENERATED ALWAYS AS (location ->> 'latitude') VIRTUAL,
    longitude REAL NOT NULL GENERATED ALWAYS AS (location ->> 'longitude') VIRTUAL
  );
  CREATE TABLE borders (
    country_code TEXT NOT NULL COLLATE NOCASE REFERENCES countries (country_code),
    neighbour_code TEXT NOT NULL COLLATE NOCASE REFERENCES countries (country_code),
    PRIMARY KEY (country_code, neighbour_code)
  );
  CREATE TABLE visits (
    visit_id UUID NOT NULL PRIMARY KEY,
    username TEXT NOT NULL,
    country_code TEXT NOT NULL COLLATE NOCASE REFERENCES countries (country_code),
    visited_on DATE,
    note VARCHAR(500) NOT NULL DEFAULT ''
  );`;

const postgres = `
  CREATE COLLATION any_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
  CREATE TABLE countries (
    country_code text COLLATE any_case PRIMARY KEY,
    name text COLLATE "C" NOT NULL,
    official_name text NOT NULL,
    capital text,
    region text COLLATE any_case NOT NULL,
    subregion text COLLATE any_case NOT NULL,
    currencies json NOT NULL,
    languages json NOT NULL,
    area double precision NOT NULL,
    location json NOT NULL,
    search_names text NOT NULL,
    search_languages text NOT NULL,
    currency text GENERATED ALWAYS AS (currencies -> 0 ->> 'code') STORED,
    language text GENERATED ALWAYS AS (languages -> 0 ->> 'code') STORED,
    latitude double precision NOT NULL GENERATED ALWAYS AS ((location ->> 'latitude')::double precision) STORED,
    longitude double precision NOT NULL GENERATED ALWAYS AS ((location ->> 'longitude')::double precision) STORED
  );
  CREATE TABLE borders (
    country_code text COLLATE any_case NOT NULL REFERENCES countries (country_code),
    neighbour_code text COLLATE any_case NOT NULL REFERENCES countries (country_code),
    PRIMARY KEY (country_code, neighbour_code)
  );
  CREATE TABLE visits (
    visit_id uuid PRIMARY KEY,
    username text NOT NULL,
    country_code text COLLATE any_case NOT NULL REFERENCES countries (country_code),
    visited_on date,
    note varchar(500) NOT NULL DEFAULT ''
  );`;

const indexes = `
  CREATE INDEX countries_by_name ON countries (name, country_code);
  CREATE INDEX countries_by_area ON countries (area, country_code);
  CREATE INDEX countries_by_region ON countries (region, name);
  CREATE INDEX countries_by_subregion ON countries (subregion, name);
  CREATE INDEX visits_by_user ON visits (username, visit_id);`;

/**
 * The index of the texts of visits refers to their number: SQLite may change other row numbers when it compacts a file
 * (https://www.sqlite.org/lang_vacuum.html).
 */
const sqliteSearch = `
  CREATE TABLE numbered_visits (
    visit_number INTEGER PRIMARY KEY,
    visit_id UUID NOT NULL UNIQUE,
    username TEXT NOT NULL,
    country_code TEXT NOT NULL COLLATE NOCASE REFERENCES countries (country_code),
    visited_on DATE,
    note VARCHAR(500) NOT NULL DEFAULT ''
  );
  INSERT INTO numbered_visits (visit_id, username, country_code, visited_on, note)
    SELECT visit_id, username, country_code, visited_on, note FROM visits ORDER BY visit_id;
  DROP TABLE visits;
  ALTER TABLE numbered_visits RENAME TO visits;
  CREATE VIRTUAL TABLE visit_texts USING fts5 (note, content='visits', content_rowid='visit_number');
  INSERT INTO visit_texts (visit_texts) VALUES ('rebuild');
  CREATE TRIGGER visits_added AFTER INSERT ON visits BEGIN
    INSERT INTO visit_texts (rowid, note) VALUES (new.visit_number, new.note);
  END;
  CREATE TRIGGER visits_removed AFTER DELETE ON visits BEGIN
    INSERT INTO visit_texts (visit_texts, rowid, note) VALUES ('delete', old.visit_number, old.note);
  END;
  CREATE TRIGGER visits_rewritten AFTER UPDATE OF note ON visits BEGIN
    INSERT INTO visit_texts (visit_texts, rowid, note) VALUES ('delete', old.visit_number, old.note);
    INSERT INTO visit_texts (rowid, note) VALUES (new.visit_number, new.note);
  END;
  CREATE INDEX visits_by_user ON visits (username, visit_id);`;

/** Words in any language. */
const postgresSearch = `CREATE INDEX visits_by_text ON visits USING gin (to_tsvector('simple', note));`;

const visitIndexes = `
  CREATE INDEX visits_by_country ON visits (username, country_code, visit_id);
  CREATE INDEX visits_by_day ON visits (username, visited_on, visit_id);`;

/** The tables of Atlas, with the countries. */
export const migrations: ModuleMigrations = {
  sqlite: [
    { name: '1_tables', sql: sqlite + indexes },
    { name: '2_countries', sql: seedSql },
    { name: '3_visit_search', sql: sqliteSearch + visitIndexes },
  ],
  postgres: [
    { name: '1_tables', sql: postgres + indexes },
    { name: '2_countries', sql: seedSql },
    { name: '3_visit_search', sql: postgresSearch + visitIndexes },
  ],
};
