-- Bytes of an image and its thumbnail, for the storage of an account. Of images from before it is not known, and counts as none.
alter table product_images add column size_bytes bigint not null default 0;
