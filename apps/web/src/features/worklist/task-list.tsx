import { Button, Text, Title } from '@mantine/core'
import type { WorkCard } from '../../lib/api/api-schema.generated.ts'
import { formatCount } from '../../lib/format.ts'
import { t } from '../../lib/i18n/t.ts'
import { ErrandCard } from './errand-card.tsx'
import { errandsOf } from './errands.ts'
import './task-list.css'

interface TaskListProps {
  open: readonly WorkCard[]
  done: readonly WorkCard[]
  mayAct: boolean
  onOpen: (taskId: string, badUnits?: number) => void
  onMore: (() => void) | undefined
}

/** One column for a phone: what comes first stands first. */
export function TaskList({ open, done, mayAct, onOpen, onMore }: TaskListProps) {
  return (
    <div className="task-list">
      {open.length === 0 && <Text c="dimmed">{t('Nothing is left to do.')}</Text>}
      {errandsOf(open).map((errand) => (
        <ErrandCard key={errand.key} errand={errand} mayAct={mayAct} onOpen={onOpen} />
      ))}
      {onMore && (
        <Button variant="default" onClick={onMore}>
          {t('Show more')}
        </Button>
      )}
      {done.length > 0 && <Title order={2}>{t('Done today ({done})', { done: formatCount(done.length) })}</Title>}
      {done.map((card) => (
        <ErrandCard
          key={card.id}
          errand={{ key: card.id, first: card, cards: [card] }}
          mayAct={mayAct}
          onOpen={onOpen}
        />
      ))}
    </div>
  )
}
