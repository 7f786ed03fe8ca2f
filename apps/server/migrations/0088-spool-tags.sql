-- Tags on spools, which a reader or a printer names them by. `uid` is the number of a chip; `uuid` is that of the spool itself, which an OpenPrintTag
-- and the chips of Bambu spools hold. In hexadecimal digits, small, without separators. A spool may have several; a tag is on one spool.
create table spool_tags (
  account_id text not null references accounts (id),
  id text not null,
  material_id text not null,
  kind text not null check (kind in ('uid', 'uuid')),
  value text not null check (value ~ '^[0-9a-f]{8,32}$'),
  created_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, material_id) references materials (account_id, id) on delete cascade,
  constraint spool_tags_value_key unique (account_id, kind, value)
);
create index spool_tags_by_material on spool_tags (account_id, material_id);
