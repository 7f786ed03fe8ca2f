import { printResources } from './generate-resources.ts'
import { readDescription } from './read-description.ts'

/** The operation IDs with the methods of the client that call them, such as `jobs.enqueue` for `enqueueJob`. */
export function listMethods(): ReadonlyMap<string, string> {
  return printResources(readDescription()).methods
}
