import { createContext, use } from 'react'
import type { Connection } from './live-stream.ts'

export const ConnectionContext = createContext<Connection>('connecting')

/** How this page is connected to the service. */
export function useConnection(): Connection {
  return use(ConnectionContext)
}
