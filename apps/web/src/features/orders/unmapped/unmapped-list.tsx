import { Text } from '@mantine/core'
import { Rich } from '../../../lib/i18n/rich.tsx'
import { t } from '../../../lib/i18n/t.ts'
import { LinkText } from '../../../ui/link-text.tsx'
import { ListRow } from '../../../ui/lists/list-row.tsx'
import { MapLine } from './map-line.tsx'
import type { UnmappedGroup } from './unmapped-groups.ts'

/** More orders than these are counted. */
const mostNamed = 5

/** What shops sell and no SKU is known for; each is mapped where it stands. */
export function UnmappedList({ groups, mayWrite }: { groups: readonly UnmappedGroup[]; mayWrite: boolean }) {
  return (
    <ul className="plain-list">
      {groups.map(({ key, name, listing, place, lines }) => (
        <ListRow
          key={key}
          title={
            <Text span fw={600}>
              {name}
            </Text>
          }
        >
          <Text size="sm" c="dimmed">
            {[place, listing].filter(Boolean).join(' · ')}
          </Text>
          <Text size="sm" mb="xs">
            <Rich
              text="{lines, plural, one {# line: order} other {# lines: orders}} {orders}"
              values={{
                lines: lines.length,
                orders: lines.slice(0, mostNamed).map(({ item_id, order_id, order_number }, index) => (
                  <span key={item_id}>
                    {index > 0 && ', '}
                    <LinkText to="/orders/$orderId" params={{ orderId: order_id }} size="sm" underline="always">
                      {order_number}
                    </LinkText>
                  </span>
                )),
              }}
            />

            {lines.length > mostNamed && t(' and {lines} more', { lines: lines.length - mostNamed })}
          </Text>
          {mayWrite && <MapLine orderId={lines[0].order_id} itemId={lines[0].item_id} name={listing || name} />}
        </ListRow>
      ))}
    </ul>
  )
}
