-- An upload is a place to put bytes: made by upload-url, filled by PUT, used once by POST /files. `expected_bytes` is the
-- size that was announced, `size_bytes` the one that came.
create table uploads (
  account_id text not null references accounts (id),
  id text not null,
  token_hash bytea not null,
  file_name text not null,
  expected_bytes bigint,
  state text not null default 'open' check (state in ('open', 'received', 'used')),
  sha256 text,
  size_bytes bigint,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  primary key (account_id, id),
  constraint uploads_token_key unique (token_hash),
  check ((state = 'open') = (sha256 is null) and (sha256 is null) = (size_bytes is null))
);
create index uploads_by_expiry on uploads (expires_at);
create index uploads_by_content on uploads (sha256) where sha256 is not null;

create table print_files (
  account_id text not null references accounts (id),
  id text not null,
  name text not null,
  product_id text,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, id)
);
create index print_files_by_age on print_files (account_id, created_at desc, id desc) where deleted_at is null;

-- Bytes are stored once per content: the storage key is the SHA-256. What the slicer said stands in columns where the
-- service decides by it, and whole in `metadata` for people.
create table print_file_versions (
  account_id text not null references accounts (id),
  id text not null,
  print_file_id text not null,
  version_number integer not null check (version_number >= 1),
  is_current_version boolean not null,
  notes text not null default '',
  original_name text not null,
  sha256 text not null,
  file_size_bytes bigint not null,
  format text not null
    check (format in ('gcode', 'bgcode', 'gcode-3mf', 'ufp', 'project-3mf', 'stl', 'obj', 'amf')),
  is_sliced boolean not null,
  number_of_units integer not null default 1,
  print_time_seconds double precision,
  filament_weight_grams double precision,
  filament_length_meters double precision,
  filament_type text,
  filament_color text,
  printer_model text,
  nozzle_diameter double precision,
  layer_count integer,
  bed_type text,
  print_profile text,
  object_count integer,
  archive_plate integer,
  nozzle_temp double precision,
  bed_temp double precision,
  thumbnail_sha256 text,
  thumbnail_mime text,
  metadata jsonb not null,
  created_at timestamptz not null default now(),
  primary key (account_id, id),
  foreign key (account_id, print_file_id) references print_files (account_id, id),
  constraint print_file_versions_number_key unique (account_id, print_file_id, version_number)
);
create unique index print_file_versions_current_key on print_file_versions (account_id, print_file_id)
  where is_current_version;
create index print_file_versions_by_content on print_file_versions (sha256);
create index print_file_versions_by_thumbnail on print_file_versions (thumbnail_sha256)
  where thumbnail_sha256 is not null;
