import HealthModel

/// The tables, views and indexes of a database.
enum DatabaseSchema: Sendable {
    /// The version of the schema, in the header of the database.
    static let version = 1

    /// The settings for writing a new file; an unfinished database is removed, so it needs no journal.
    static let settings = """
        PRAGMA page_size = 8192;
        PRAGMA journal_mode = OFF;
        PRAGMA synchronous = OFF;
        PRAGMA locking_mode = EXCLUSIVE;
        PRAGMA cache_size = -8000;
        PRAGMA temp_store = FILE;
        PRAGMA threads = 1;
        """

    static var tables: String {
        fixedTables
            + ElementTable.all.map { table in
                let columns = table.columns.map { "    \"\($0.name)\" \($0.type)" }.joined(separator: ",\n")
                return "CREATE TABLE \(table.name) (\n\(columns)\n) STRICT;\n"
            }.joined()
    }

    private static let fixedTables = """
        CREATE TABLE type (
            id INTEGER PRIMARY KEY, element TEXT NOT NULL, attribute TEXT NOT NULL, identifier TEXT NOT NULL,
            title TEXT NOT NULL
        ) STRICT;
        CREATE TABLE source (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
        CREATE TABLE device (id INTEGER PRIMARY KEY, description TEXT NOT NULL) STRICT;
        CREATE TABLE origin (
            id INTEGER PRIMARY KEY,
            source_id INTEGER REFERENCES source,
            source_version TEXT,
            device_id INTEGER REFERENCES device,
            unit TEXT,
            start_offset TEXT,
            end_offset TEXT,
            creation_offset TEXT
        ) STRICT;
        CREATE TABLE metadata_set (id INTEGER PRIMARY KEY) STRICT;
        CREATE TABLE metadata (
            set_id INTEGER NOT NULL REFERENCES metadata_set,
            number INTEGER NOT NULL,
            key TEXT NOT NULL,
            value TEXT NOT NULL,
            PRIMARY KEY (set_id, number)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE sample (
            id INTEGER PRIMARY KEY,
            type_id INTEGER NOT NULL REFERENCES type,
            origin_id INTEGER NOT NULL REFERENCES origin,
            start_time INTEGER,
            end_time INTEGER,
            creation_time INTEGER,
            value REAL,
            value_text TEXT,
            metadata_id INTEGER REFERENCES metadata_set,
            position INTEGER NOT NULL,
            is_copy INTEGER NOT NULL,
            other TEXT,
            start_day INTEGER,
            end_day INTEGER
        ) STRICT;
        CREATE TABLE file (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL, length INTEGER NOT NULL, content BLOB
        ) STRICT;
        CREATE TABLE route (file_id INTEGER PRIMARY KEY REFERENCES file, name TEXT) STRICT;
        CREATE TABLE route_point (
            file_id INTEGER NOT NULL REFERENCES route,
            number INTEGER NOT NULL,
            latitude REAL, longitude REAL, elevation REAL, time TEXT, speed REAL, course REAL,
            horizontal_accuracy REAL, vertical_accuracy REAL, segment INTEGER NOT NULL,
            PRIMARY KEY (file_id, number)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE electrocardiogram (
            file_id INTEGER PRIMARY KEY REFERENCES file,
            recorded_date TEXT, classification_text TEXT, symptoms TEXT, software_version TEXT, device TEXT,
            sampling_frequency REAL, lead TEXT, unit TEXT
        ) STRICT;
        CREATE TABLE electrocardiogram_voltage (
            file_id INTEGER NOT NULL REFERENCES electrocardiogram,
            number INTEGER NOT NULL,
            microvolts REAL NOT NULL,
            PRIMARY KEY (file_id, number)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE clinical_resource (
            file_id INTEGER PRIMARY KEY REFERENCES file, resource TEXT NOT NULL
        ) STRICT;
        CREATE TABLE about (element TEXT NOT NULL, attribute TEXT NOT NULL, value TEXT NOT NULL) STRICT;
        CREATE TABLE manifest (manifest TEXT NOT NULL) STRICT;
        CREATE TABLE not_kept (kind TEXT NOT NULL, count INTEGER NOT NULL) STRICT;
        CREATE TABLE kept_as_text (kind TEXT NOT NULL, count INTEGER NOT NULL) STRICT;
        CREATE TABLE summary_statistics (
            type_id INTEGER NOT NULL REFERENCES type,
            unit TEXT,
            count INTEGER NOT NULL,
            copies INTEGER NOT NULL,
            minimum REAL,
            maximum REAL,
            average REAL,
            sum REAL,
            first_time INTEGER,
            last_time INTEGER
        ) STRICT;
        CREATE TABLE workout_total (
            sample_id INTEGER NOT NULL REFERENCES sample,
            kind TEXT NOT NULL,
            sum REAL NOT NULL,
            unit TEXT NOT NULL,
            PRIMARY KEY (sample_id, kind)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE daily_sum (
            type_id INTEGER NOT NULL REFERENCES type,
            day INTEGER NOT NULL,
            sum REAL NOT NULL,
            unit TEXT NOT NULL,
            count INTEGER NOT NULL,
            PRIMARY KEY (type_id, day)
        ) STRICT, WITHOUT ROWID;

        """

    /// Fills the table of the workouts' totals from their statistics.
    ///
    /// Exports since iOS 16 have no totals. Statistics of a workout in several units have no total in one of them.
    static let workoutTotals = """
        INSERT INTO workout_total
        SELECT sample_id, kind, sum(sum), max(unit) FROM (
            SELECT
                sample_id, sum, unit,
                CASE WHEN type = 'HKQuantityTypeIdentifierActiveEnergyBurned' THEN 'energy' ELSE 'distance' END AS kind
            FROM workout_statistics
            WHERE activity_id IS NULL AND sum IS NOT NULL AND (
                type = 'HKQuantityTypeIdentifierActiveEnergyBurned'
                OR type GLOB 'HKQuantityTypeIdentifierDistance*')
        )
        GROUP BY sample_id, kind HAVING count(DISTINCT unit) = 1;
        """

    /// The indexes and views, created after all rows are inserted.
    static var indexesAndViews: String {
        let children = ElementTable.all.filter { !$0.isSample }
            .map { "CREATE INDEX \($0.name)_sample ON \($0.name) (sample_id);\n" }
        return "CREATE INDEX sample_type_start ON sample (type_id, start_time);\n" + children.joined() + views
    }

    private static let views = """
        CREATE VIEW all_samples AS
        SELECT
            sample.id,
            type.element,
            type.identifier AS type,
            type.title,
            strftime('%Y-%m-%dT%H:%M:%S', start_time, 'unixepoch', coalesce(start_offset, '+00:00')) || coalesce(start_offset, '+00:00') AS start_date,
            strftime('%Y-%m-%dT%H:%M:%S', end_time, 'unixepoch', coalesce(end_offset, '+00:00')) || coalesce(end_offset, '+00:00') AS end_date,
            strftime('%Y-%m-%dT%H:%M:%S', creation_time, 'unixepoch', coalesce(creation_offset, '+00:00')) || coalesce(creation_offset, '+00:00')
                AS creation_date,
            date(start_day * 86400, 'unixepoch') AS start_day,
            date(end_day * 86400, 'unixepoch') AS end_day,
            sample.value,
            sample.value_text,
            origin.unit,
            source.name AS source_name,
            origin.source_version,
            device.description AS device,
            CASE WHEN metadata_id IS NOT NULL THEN
                (SELECT json_group_object(key, json(entry)) FROM (
                    SELECT key, CASE count(*) WHEN 1 THEN json_quote(value) ELSE json_group_array(value) END AS entry
                    FROM metadata WHERE set_id = metadata_id GROUP BY key ORDER BY min(number)
                ))
            END AS metadata,
            sample.is_copy,
            sample.other
        FROM sample
        JOIN type ON type.id = type_id
        JOIN origin ON origin.id = origin_id
        LEFT JOIN source ON source.id = source_id
        LEFT JOIN device ON device.id = device_id;

        CREATE VIEW samples AS
        SELECT
            id, element, type, title, start_date, end_date, creation_date, start_day, end_day, value, value_text, unit,
            source_name, source_version, device, metadata, other
        FROM all_samples
        WHERE is_copy = 0;

        CREATE VIEW workouts AS
        SELECT
            samples.id, workout_activity_type AS activity, start_date, end_date, creation_date, samples.start_day,
            samples.end_day,
            coalesce(
                CASE duration_unit
                    WHEN 's' THEN duration WHEN 'min' THEN duration * 60 WHEN 'hr' THEN duration * 3600
                END,
                sample.end_time - sample.start_time) AS duration_seconds,
            coalesce(total_distance, distance.sum) AS distance,
            CASE WHEN total_distance IS NULL THEN distance.unit ELSE total_distance_unit END AS distance_unit,
            coalesce(total_energy_burned, energy.sum) AS energy,
            CASE WHEN total_energy_burned IS NULL THEN energy.unit ELSE total_energy_burned_unit END AS energy_unit,
            source_name, source_version, device, metadata, samples.other
        FROM samples
        JOIN sample ON sample.id = samples.id
        JOIN workout ON workout.sample_id = samples.id
        LEFT JOIN workout_total AS distance ON distance.sample_id = samples.id AND distance.kind = 'distance'
        LEFT JOIN workout_total AS energy ON energy.sample_id = samples.id AND energy.kind = 'energy';

        CREATE VIEW daily_values AS
        SELECT
            date(day * 86400, 'unixepoch') AS day, type.identifier AS type, type.title, sum, unit, count,
            '\(SourceMerge.priority().rule)' AS rule
        FROM daily_sum
        JOIN type ON type.id = type_id;

        CREATE VIEW routes AS
        SELECT workout_route.sample_id AS workout_id, file.name AS file, route_point.*
        FROM route_point
        JOIN file ON file.id = file_id
        LEFT JOIN workout_route ON workout_route.file_path = '/' || file.name;

        CREATE VIEW statistics AS
        SELECT
            type.identifier AS type, type.title, unit, count, copies, minimum, maximum, average, sum,
            strftime('%Y-%m-%dT%H:%M:%SZ', first_time, 'unixepoch') AS first_date,
            strftime('%Y-%m-%dT%H:%M:%SZ', last_time, 'unixepoch') AS last_date
        FROM summary_statistics
        JOIN type ON type.id = type_id;

        """
}
