-- The SKU of the order item when the state was planned: what is stored of a SKU is found without its items of former years, and goes
-- when the item gets another SKU or none. `expected_at` is written no more: nothing reads it, and it moved with every plan.
alter table order_item_states add column product_sku_id text;
update order_item_states s set product_sku_id = i.product_sku_id, expected_at = null
  from order_items i where i.account_id = s.account_id and i.id = s.order_item_id;
delete from order_item_states where product_sku_id is null;
alter table order_item_states alter column product_sku_id set not null;
create index order_item_states_by_sku on order_item_states (account_id, product_sku_id);

-- Plates of live jobs that yield several SKUs are looked for in each plan.
create index job_outputs_mixed on job_outputs (account_id, job_id) where not is_main;

-- Whether people put a product together decides what is said of orders of which all units are there.
create function request_replan_of_product() returns trigger language plpgsql as $$
begin
  insert into replan_requests (account_id, product_sku_id)
  select account_id, id from skus where account_id = new.account_id and product_id = new.id;
  return null;
end $$;
create trigger products_replan after update on products for each row
  when (new.requires_assembly is distinct from old.requires_assembly)
  execute function request_replan_of_product();

-- False: planned with all of the account. Then only orders whose units moved are looked at; otherwise all that have open lines of it.
alter table replan_requests add column is_own boolean not null default true;
