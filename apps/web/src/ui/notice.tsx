import type { ReactNode } from 'react'

/** A message that does not wait to be looked for: `trouble` interrupts a screen reader, `info` waits its turn. */
export function Notice({ kind, children }: { kind: 'info' | 'trouble'; children: ReactNode }) {
  return (
    <div className={`notice notice-${kind}`} role={kind === 'trouble' ? 'alert' : 'status'}>
      {children}
    </div>
  )
}
