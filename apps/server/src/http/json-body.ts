import { validationError } from '../errors.ts'
import type { App } from './types.ts'

/** Far more than any schema of ours goes down. Whoever walks down what has no end runs out of stack. */
const maxDepth = 50

/** Reads bodies that are JSON. A POST without a body may still say that its body is JSON: many clients always do. */
export function readJsonBodies(app: App): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  // Anything but JSON is refused by its type, not misread as a text.
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body: string, done) => {
    if (body === '') return done(null, undefined)
    void parseJson(request, body, (error, value: unknown) => {
      if (error) done(error)
      else if (isDeeperThan(maxDepth, value)) done(nestedTooDeeply())
      else done(null, value)
    })
  })
}

const nestedTooDeeply = () => validationError({ _root: [`must not be nested deeper than ${maxDepth} levels`] })

function isDeeperThan(levels: number, value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false
  return levels === 0 || Object.values(value).some((item) => isDeeperThan(levels - 1, item))
}
