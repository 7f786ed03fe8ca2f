-- What a parcel takes of packaging is in the ledger, and names the parcel.
alter table material_movements
  drop constraint material_movements_reason_check,
  add constraint material_movements_reason_check
    check (reason in ('added', 'restocked', 'consumed', 'printed', 'assembled', 'shipped', 'correction')),
  add column shipment_id text;
create index material_movements_by_shipment on material_movements (account_id, shipment_id) where shipment_id is not null;
