import type { ReactNode } from 'react'
import './facts.css'

/** Names and values of one thing. A fact without a value is left out. */
export function FactGrid({ facts }: { facts: readonly (readonly [label: string, value: ReactNode])[] }) {
  return (
    <dl className="fact-grid">
      {facts.map(([label, value]) =>
        value === null || value === undefined || value === '' ? null : (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  )
}
