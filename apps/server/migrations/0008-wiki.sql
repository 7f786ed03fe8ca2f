-- `sections` is an array of section objects in the order in which they are shown. `revision` counts the changes of the
-- article and is the number of its newest revision.
create table wiki_articles (
  account_id text not null references accounts (id),
  id text not null,
  title text not null,
  slug text not null,
  excerpt text not null,
  category text not null,
  tags text[] not null,
  product_id text,
  sku_id text,
  is_published boolean not null default false,
  published_at timestamptz,
  meta_title text not null,
  meta_description text not null,
  featured_image_url text not null,
  description text not null,
  estimated_time_minutes double precision,
  difficulty text check (difficulty in ('easy', 'medium', 'hard')),
  tools_required text[] not null,
  content text not null,
  sections jsonb not null,
  revision integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, id),
  constraint wiki_articles_slug_key unique (account_id, slug),
  constraint wiki_articles_product_fkey foreign key (account_id, product_id) references products (account_id, id),
  constraint wiki_articles_sku_fkey foreign key (account_id, sku_id) references skus (account_id, id),
  check (is_published = (published_at is not null))
);
create index wiki_articles_by_age on wiki_articles (account_id, created_at desc, id desc);
create index wiki_articles_by_category on wiki_articles (account_id, category, created_at desc, id desc);
create index wiki_articles_by_product on wiki_articles (account_id, product_id, created_at desc, id desc)
  where product_id is not null;
create index wiki_articles_by_sku on wiki_articles (account_id, sku_id) where sku_id is not null;

-- What an article said after each change: `article` holds every field that can be written, `fields` names those that
-- changed. Revisions go with their article. `created_at` is the time of the statement, so that it grows with `number`.
create table wiki_revisions (
  account_id text not null references accounts (id),
  article_id text not null,
  number integer not null check (number >= 1),
  fields text[] not null,
  article jsonb not null,
  actor text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (account_id, article_id, number),
  foreign key (account_id, article_id) references wiki_articles (account_id, id)
);
