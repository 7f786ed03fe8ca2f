import type { ReactNode } from 'react'
import './facts.css'

type Fact = readonly [name: ReactNode, value: ReactNode, key?: string]

interface FactsProps {
  facts: readonly Fact[]
  /** One beside the other, where there is room; otherwise one a line. */
  isGrid?: boolean
}

/** Names and values of one thing. A fact without a value is left out; one whose name is more than text has a key. */
export function Facts({ facts, isGrid = false }: FactsProps) {
  return (
    <dl className={isGrid ? 'fact-grid' : 'facts'}>
      {facts.map(([name, value, key]) =>
        value === null || value === undefined || value === '' ? null : (
          <div key={key ?? String(name)}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  )
}
