import type { ReactNode } from 'react'
import './facts.css'

type Fact = readonly [name: string, value: ReactNode]

interface FactsProps {
  facts: readonly Fact[]
  /** One beside the other, where there is room; otherwise one a line. */
  isGrid?: boolean
}

/** Names and values of one thing. A fact without a value is left out. */
export function Facts({ facts, isGrid = false }: FactsProps) {
  return (
    <dl className={isGrid ? 'fact-grid' : 'facts'}>
      {facts.map(([name, value]) =>
        value === null || value === undefined || value === '' ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  )
}
