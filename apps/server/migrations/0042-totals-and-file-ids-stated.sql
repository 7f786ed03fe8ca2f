-- What a shop says that the customer pays, where it is not the sum that we would work out, such as after a gift card.

alter table orders
  add column stated_total bigint check (stated_total >= 0),
  drop column total_revenue;
alter table orders
  add column total_revenue bigint not null
    generated always as (coalesce(stated_total, items_total + shipping_cost + tax_amount - discount_amount)) stored;

-- The ID that the file of an upload will have, told with the upload's address; null in rows from before.

alter table uploads add column file_id text;
