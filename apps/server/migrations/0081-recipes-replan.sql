-- What a recipe makes is looked up by its SKU, or by its product where it makes all of it. In one join with `or` each
-- changed recipe was compared with every SKU of its product: 5,000 recipes of one product took 25 million comparisons.
create or replace function request_replan_of_recipes() returns trigger language plpgsql as $$
begin
  insert into replan_requests (account_id, product_sku_id)
  select s.account_id, s.id
  from (select distinct account_id, product_id, product_sku_id from changed where product_sku_id is not null) r
  join skus s on s.account_id = r.account_id and s.id = r.product_sku_id and s.product_id = r.product_id
  union
  select s.account_id, s.id
  from (select distinct account_id, product_id from changed where product_sku_id is null) r
  join skus s on s.account_id = r.account_id and s.product_id = r.product_id;
  return null;
end $$;
