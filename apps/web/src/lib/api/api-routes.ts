import type { ApiRoutes as Routes, Session } from './api-schema.generated.ts'

/** Roles from the one with the most rights. */
export const roles = ['owner', 'admin', 'operator', 'viewer'] as const satisfies Session['role'][]
export type Role = Session['role']
export type Scope = Session['scopes'][number]

/** A route this page may call, by method and path under `/app/v1`. */
export type RouteName = keyof Routes
export type DataOf<Name extends RouteName> = Routes[Name] extends { data: infer Data } ? Data : never
export type BodyOf<Name extends RouteName> = Routes[Name] extends { body: infer Body } ? Body : never
export type OptionalBodyOf<Name extends RouteName> = Routes[Name] extends { optionalBody: infer Body } ? Body : never
export type QueryOf<Name extends RouteName> = Routes[Name] extends { query: infer Query } ? Query : never
export type ParamsOf<Name extends RouteName> = Routes[Name] extends { params: infer Params } ? Params : never

/** Routes that answer a list in pages. */
export type ListName = { [Name in RouteName]: DataOf<Name> extends readonly unknown[] ? Name : never }[RouteName]
export type RowOf<Name extends ListName> = DataOf<Name> extends readonly (infer Row)[] ? Row : never
