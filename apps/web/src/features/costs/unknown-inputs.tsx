import { Text } from '@mantine/core'
import type { UnknownInput } from '../../lib/api/api-schema.generated.ts'
import { t } from '../../lib/i18n/t.ts'
import { LinkText } from '../../ui/link-text.tsx'
import { unknownWords } from './cost-words.ts'
import './unknown-inputs.css'

/** What is missing to know a cost, each with a link to where it is filled in. */
export function UnknownInputs({ unknown }: { unknown: readonly UnknownInput[] }) {
  if (unknown.length === 0) return null
  return (
    <div className="unknown-inputs">
      <Text size="sm" fw={600}>
        {t('Not known')}
      </Text>
      <ul>
        {unknown.map((each) => (
          <li key={`${each.input} ${each.subject_kind} ${each.subject_id}`}>
            <UnknownLink unknown={each} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function UnknownLink({ unknown }: { unknown: UnknownInput }) {
  const { subject_kind: kind, subject_id: id, parts } = unknown
  const words = unknownWords(unknown)
  if (unknown.input === 'mapping') return <LinkText to="/orders/unmapped">{words}</LinkText>
  if (unknown.input === 'filament_usage') return <LinkText to="/materials">{words}</LinkText>
  if (id === null) return <LinkText to="/settings/costs">{words}</LinkText>
  switch (kind) {
    case 'material':
      return (
        <LinkText to="/materials/$kind/$materialId" params={{ kind: materialKind(parts), materialId: id }}>
          {words}
        </LinkText>
      )
    case 'print_file':
      return (
        <LinkText to="/files/$fileId" params={{ fileId: id }}>
          {words}
        </LinkText>
      )
    case 'sku':
      return (
        <LinkText to="/skus/$skuId" params={{ skuId: id }}>
          {words}
        </LinkText>
      )
    case 'job':
      return (
        <LinkText to="/jobs/$jobId" params={{ jobId: id }}>
          {words}
        </LinkText>
      )
    case 'order':
      return (
        <LinkText to="/orders/$orderId" params={{ orderId: id }}>
          {words}
        </LinkText>
      )
    default:
      return <LinkText to="/settings/costs">{words}</LinkText>
  }
}

/** The part of a cost that misses the price of a material is that of its kind. */
function materialKind(parts: UnknownInput['parts']): 'components' | 'packaging' | 'filament' {
  return parts.find((part) => part === 'components' || part === 'packaging') ?? 'filament'
}
