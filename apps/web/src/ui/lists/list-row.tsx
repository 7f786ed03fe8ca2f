import type { ComponentProps, ReactNode } from 'react'
import './list-row.css'

interface ListRowProps extends Omit<ComponentProps<'li'>, 'className' | 'title'> {
  /** Its name, and marks beside it. */
  title: ReactNode
  /** What stands before the title. */
  before?: ReactNode
  /** What can be done with it; at the end of the row. */
  actions?: ReactNode
  /** On a phone the actions stand below: what is said needs the width. */
  isStacked?: boolean
}

/** A row of a list that needs more room than a table gives. What is said below the title are its children. */
export function ListRow({ title, before, actions, isStacked, children, ...more }: ListRowProps) {
  return (
    <li className="list-row" data-stacked={isStacked || undefined} {...more}>
      {before}
      <div className="list-row-main">
        <div className="list-row-title">{title}</div>
        {children}
      </div>
      {actions}
    </li>
  )
}
