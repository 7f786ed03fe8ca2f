-- How many of a component the last plan gave to those who want a SKU. A plan is of some SKUs: what the others take of the same components
-- is read here, or each would count all of the stock for itself.
create table component_uses (
  account_id text not null references accounts (id),
  product_sku_id text not null,
  material_id text not null,
  units bigint not null check (units >= 1),
  primary key (account_id, product_sku_id, material_id),
  foreign key (account_id, product_sku_id) references skus (account_id, id) on delete cascade,
  foreign key (account_id, material_id) references materials (account_id, id) on delete cascade
);
create index component_uses_by_material on component_uses (account_id, material_id);

insert into replan_requests (account_id) select id from accounts;
