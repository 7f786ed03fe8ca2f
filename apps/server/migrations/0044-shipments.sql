-- What left of an order, parcel by parcel, and what came back. Quantities are those of the lines, units those of their SKUs then.
create table shipments (
  account_id text not null references accounts (id),
  id text not null,
  order_id text not null,
  carrier text not null default '',
  tracking_number text not null default '',
  tracking_url text not null default '',
  packed_by text references users (id),
  shipped_at timestamptz not null,
  created_at timestamptz not null default now(),
  primary key (account_id, id),
  foreign key (account_id, order_id) references orders (account_id, id)
);
create index shipments_by_order on shipments (account_id, order_id, shipped_at, id);
create index shipments_by_packer on shipments (packed_by) where packed_by is not null;

create table shipment_items (
  account_id text not null references accounts (id),
  id text not null,
  shipment_id text not null,
  order_id text not null,
  order_item_id text not null,
  quantity integer not null check (quantity >= 1),
  units integer not null check (units >= quantity),
  primary key (account_id, id),
  foreign key (account_id, shipment_id) references shipments (account_id, id),
  foreign key (account_id, order_id) references orders (account_id, id),
  foreign key (account_id, order_item_id) references order_items (account_id, id)
);
create index shipment_items_by_order on shipment_items (account_id, order_id, order_item_id);
create index shipment_items_by_shipment on shipment_items (account_id, shipment_id);

create table order_returns (
  account_id text not null references accounts (id),
  id text not null,
  order_id text not null,
  order_item_id text not null,
  quantity integer not null check (quantity >= 1),
  units integer not null check (units >= quantity),
  disposition text not null check (disposition in ('restock', 'scrap', 'remake')),
  notes text not null default '',
  actor text not null,
  created_at timestamptz not null default now(),
  primary key (account_id, id),
  foreign key (account_id, order_id) references orders (account_id, id),
  foreign key (account_id, order_item_id) references order_items (account_id, id)
);
create index order_returns_by_order on order_returns (account_id, order_id, created_at, id);

-- What was taken for orders until now left in parcels of which no more is known than the order says: one for each order.
insert into shipments (account_id, id, order_id, tracking_number, tracking_url, shipped_at, created_at)
select o.account_id, 'shp_' || substr(o.id, 5), o.id, o.tracking_number, o.tracking_url,
       coalesce(o.shipped_at, o.updated_at), o.updated_at
from orders o
where exists (
  select from order_items i where i.account_id = o.account_id and i.order_id = o.id and i.quantity_fulfilled > 0);
insert into shipment_items (account_id, id, shipment_id, order_id, order_item_id, quantity, units)
select i.account_id, 'shi_' || substr(i.id, 5), 'shp_' || substr(i.order_id, 5), i.order_id, i.id, i.quantity_fulfilled,
       i.quantity_fulfilled * i.pack_size
from order_items i where i.quantity_fulfilled > 0;
