import { hash } from 'node:crypto'
import selectSerializer from '@fastify/fast-json-stringify-compiler'

/** What a compiler of Fastify is given for each part of a route that has a schema. */
interface Definition {
  schema?: unknown
  httpPart?: string
}

/**
 * A compiler that compiles each schema when it is first used, and equal ones once. Most routes are registered under two prefixes,
 * and their refusals are much the same: each compiled again would be twice the memory, and all of them at once most of the time
 * that a start takes.
 *
 * What is compiled may be told apart by nothing but its schema and the part of the request that it is for.
 */
export function shareCompiled<D extends Definition, Value, Result>(
  compile: (definition: D) => (value: Value) => Result,
): (definition: D) => (value: Value) => Result {
  const known = new Map<string, (value: Value) => Result>()
  const find = (definition: D) => {
    const key = hash('sha256', `${definition.httpPart} ${JSON.stringify(definition.schema)}`, 'base64')
    const compiled = known.get(key) ?? compile(definition)
    known.set(key, compiled)
    return compiled
  }
  return (definition) => {
    let compiled: ((value: Value) => Result) | undefined
    return (value) => {
      compiled ??= find(definition)
      return compiled(value)
    }
  }
}

type Serialize = (answer: unknown) => string
type SerializerBuilder = (schemas: unknown, options: unknown) => (definition: Definition) => Serialize

/** Fastify's own compiler of serialisers, which it gives to no one by name, with equal schemas compiled once. */
export function makeSerializerBuilder(): SerializerBuilder {
  const build = selectSerializer() as unknown as SerializerBuilder
  let compile: ReturnType<SerializerBuilder> | undefined
  // Every plugin asks for a compiler of its own. No schema of ours is shared by name, so that all may have the same.
  return (schemas, options) => {
    compile ??= shareCompiled(build(schemas, options))
    return compile
  }
}
