import { collectDefaultMetrics, Registry } from '@prometheus-io/client'

let registry: Registry | undefined

/**
 * The metrics of this process: memory, garbage collection, event loop. Collected once for all services in it, because the
 * library's observers of the process have no end and would hold on to every service that ever ran.
 */
export function processMetrics(): Registry {
  if (registry === undefined) {
    registry = new Registry()
    collectDefaultMetrics({ register: registry })
  }
  return registry
}
