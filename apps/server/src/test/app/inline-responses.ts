interface Referring {
  $ref?: string
}

interface Document {
  paths: Record<string, Record<string, { responses: Record<string, Referring> }>>
  components?: { responses?: Record<string, Referring> }
}

/** The API description with each shared response in the place of the references to it, as the checks of answers want it. */
export function inlineResponses<T extends object>(document: T): T {
  const { paths, components } = document as unknown as Document
  const inlined = Object.fromEntries(
    Object.entries(paths).map(([path, methods]) => [
      path,
      Object.fromEntries(
        Object.entries(methods).map(([method, operation]) => [
          method,
          { ...operation, responses: mapResponses(operation.responses, components?.responses ?? {}) },
        ]),
      ),
    ]),
  )
  return { ...document, paths: inlined }
}

function mapResponses(responses: Record<string, Referring>, shared: Record<string, Referring>) {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      if (response.$ref === undefined) return [status, response]
      const name = response.$ref.replace('#/components/responses/', '')
      const found = shared[name]
      if (!found) throw new Error(`The description has no response ${response.$ref}`)
      return [status, found]
    }),
  )
}
