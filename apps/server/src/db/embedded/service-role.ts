import { openDriver } from '../driver/open-driver.ts'
import type { EmbeddedConnection } from './embedded-connection.ts'

/** The role of the service: it reads and writes rows, and can change no table, role or setting of the server. */
const serviceRole = 'printyard_service'

/** What the role may do with each table; of the list of migrations it may read only. */
const tableRights = ['select', 'insert', 'update', 'delete']

/**
 * Makes the role of the service where it is missing, and lets it use the tables as they are after the migrations, which run as the
 * owner. A statement that was smuggled in cannot read files of the machine or run programs, as that of a superuser could.
 */
export async function allowServiceRole(owner: EmbeddedConnection): Promise<void> {
  const sql = openDriver(owner, 'printyard roles')
  try {
    // Granting what is granted would write to the catalogue for each table, at every start.
    if (await isAsItShouldBe(sql)) return
    await sql.unsafe(`
      do $$ begin
        if not exists (select from pg_roles where rolname = '${serviceRole}') then
          create role ${serviceRole} login;
        end if;
      end $$;
      alter role ${serviceRole} login nosuperuser nocreatedb nocreaterole noreplication nobypassrls;
      grant pg_read_all_stats to ${serviceRole};
      grant usage on schema public to ${serviceRole};
      grant ${tableRights.join(', ')} on all tables in schema public to ${serviceRole};
      grant usage, select on all sequences in schema public to ${serviceRole};
      do $$ begin
        if to_regclass('public.schema_migrations') is not null then
          revoke insert, update, delete on schema_migrations from ${serviceRole};
        end if;
      end $$`)
  } finally {
    await sql.end()
  }
}

async function isAsItShouldBe(sql: ReturnType<typeof openDriver>): Promise<boolean> {
  const [role] = await sql.unsafe(`
    select
      rolcanlogin and not (rolsuper or rolcreatedb or rolcreaterole or rolreplication or rolbypassrls)
      and pg_has_role(oid, 'pg_read_all_stats', 'member')
      and has_schema_privilege(oid, 'public', 'usage')
      and not exists (
        select from pg_class thing
        where relnamespace = 'public'::regnamespace and case
          when relkind = 'S' then not (
            has_sequence_privilege(pg_roles.oid, thing.oid, 'usage') and has_sequence_privilege(pg_roles.oid, thing.oid, 'select'))
          when relkind not in ('r', 'p', 'v', 'm', 'f') then false
          when relname = 'schema_migrations' then
            not has_table_privilege(pg_roles.oid, thing.oid, 'select')
            or has_table_privilege(pg_roles.oid, thing.oid, 'insert, update, delete')
          else not (${tableRights.map((right) => `has_table_privilege(pg_roles.oid, thing.oid, '${right}')`).join(' and ')})
        end)
      as is_as_it_should_be
    from pg_roles where rolname = '${serviceRole}'`)
  return role?.is_as_it_should_be === true
}

/** The connection of the service to the same database. */
export function asService(owner: EmbeddedConnection): EmbeddedConnection {
  return { ...owner, user: serviceRole }
}
