/** The part of autocannon 9 that the load generator uses; the package brings no types. */
declare module 'autocannon' {
  export interface Result {
    requests: { average: number; total: number }
    latency: { p50: number; p99: number }
    /** Seconds. */
    duration: number
    errors: number
    timeouts: number
    non2xx: number
  }
  export default function autocannon(options: {
    url: string
    connections: number
    duration: number
    headers: Record<string, string>
    requests: { method: string; path: string; body?: string }[]
  }): Promise<Result>
}
