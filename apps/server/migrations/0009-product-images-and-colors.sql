-- `sort_order` counts from 0 without gaps; the picture at 0 is the one that stands for the product. Its constraint is
-- looked at when a statement ends, so that one statement can move many. The token is stored as it is, because every answer
-- shows it again: it is an address that is handed out to be shown to anyone, and opens nothing but this picture.
create table product_images (
  account_id text not null references accounts (id),
  id text not null,
  product_id text not null,
  sort_order integer not null check (sort_order >= 0),
  token text not null,
  content_type text not null check (content_type in ('image/jpeg', 'image/png', 'image/webp', 'image/gif')),
  sha256 text not null,
  thumb_sha256 text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, id),
  foreign key (account_id, product_id) references products (account_id, id),
  constraint product_images_token_key unique (token),
  constraint product_images_order_key unique (account_id, product_id, sort_order) deferrable initially immediate
);
create index product_images_by_content on product_images (sha256);
create index product_images_by_thumbnail on product_images (thumb_sha256);

create table colors (
  account_id text not null references accounts (id),
  id text not null,
  color_name text not null,
  hex_code text not null,
  filament_type text not null default '',
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, id),
  constraint colors_name_key unique (account_id, color_name, filament_type)
);
create index colors_by_age on colors (account_id, created_at desc, id desc);
