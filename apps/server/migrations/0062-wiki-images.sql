-- Pictures of articles. Their addresses stand in the texts of the article and of its revisions, so they go when the article does.
create table wiki_images (
  account_id text not null references accounts (id),
  id text not null,
  article_id text not null,
  token text not null,
  content_type text not null check (content_type in ('image/jpeg', 'image/png', 'image/webp', 'image/gif')),
  sha256 text not null,
  thumb_sha256 text not null,
  size_bytes bigint not null check (size_bytes >= 0),
  created_at timestamptz not null default now(),
  primary key (account_id, id),
  foreign key (account_id, article_id) references wiki_articles (account_id, id),
  constraint wiki_images_token_key unique (token)
);
create index wiki_images_by_article on wiki_images (account_id, article_id);
create index wiki_images_by_content on wiki_images (sha256);
create index wiki_images_by_thumbnail on wiki_images (thumb_sha256);
