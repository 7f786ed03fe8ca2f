import { Fragment } from 'react'
import type { WorkCard } from '../../lib/api/api-schema.generated.ts'
import { formatCount } from '../../lib/format.ts'
import { ThingLink } from '../../ui/thing-link.tsx'
import './card-wishes.css'

/** What customers want on the units in one's hands. Nothing where they want nothing. */
export function CardWishes({ wishes }: Pick<WorkCard, 'wishes'>) {
  if (wishes.length === 0) return null
  return (
    <ul className="card-wishes">
      {wishes.map(({ order_id, order_number, product_name, units, personalisation }) => (
        <li key={`${order_number} ${product_name} ${JSON.stringify(personalisation)}`}>
          <ThingLink id={order_id}>{order_number}</ThingLink> · {formatCount(units)} × {product_name}
          {personalisation.map(({ name, value }) => (
            <Fragment key={name}>
              {' · '}
              {name}: <strong>{value}</strong>
            </Fragment>
          ))}
        </li>
      ))}
    </ul>
  )
}
