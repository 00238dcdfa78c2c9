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

/** The tables of Atlas, with the countries. */
export const migrations: ModuleMigrations = {
  sqlite: [
    { name: '1_tables', sql: sqlite + indexes },
    { name: '2_countries', sql: seedSql },
  ],
  postgres: [
    { name: '1_tables', sql: postgres + indexes },
    { name: '2_countries', sql: seedSql },
  ],
};
