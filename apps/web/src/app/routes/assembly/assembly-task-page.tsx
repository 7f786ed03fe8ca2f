import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { assemblyTaskQuery, useChangeAssembly } from '../../../features/assembly/assembly.api.ts'
import { assemblyKinds, assemblyStatuses, isOpen, unitsLeft } from '../../../features/assembly/assembly-words.ts'
import { CountForm } from '../../../features/assembly/count-form.tsx'
import { PartList } from '../../../features/assembly/part-list.tsx'
import type { AssemblyTaskDetail } from '../../../lib/api/api-schema.generated.ts'
import { formatCount } from '../../../lib/format.ts'
import { Rich } from '../../../lib/i18n/rich.tsx'
import { t } from '../../../lib/i18n/t.ts'
import { thumbnailOf } from '../../../lib/own-address.ts'
import { useMay } from '../../../lib/session.ts'
import { ArticleBody } from '../../../ui/article/article-body.tsx'
import { useConfirm } from '../../../ui/dialogs/confirm.tsx'
import { toastDone, toastFailed } from '../../../ui/dialogs/toast.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { LinkText } from '../../../ui/link-text.tsx'
import { Facts } from '../../../ui/lists/facts.tsx'
import { Picture } from '../../../ui/lists/picture.tsx'
import { StatusBadge } from '../../../ui/lists/status-badge.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'
import { ForOrders } from '../../../ui/production/for-orders.tsx'
import { Time } from '../../../ui/time.tsx'
import { useMemberNames } from '../use-member-names.ts'
import './assembly-task-page.css'

const route = getRouteApi('/member/shell/assembly/$assemblyId')

export function AssemblyTaskPage() {
  const { assemblyId } = route.useParams()
  const task = useQuery(assemblyTaskQuery(assemblyId))
  return (
    <QueryView query={task} failed={t('The assembly task could not be read')}>
      {(found) => <TaskView key={found.id} task={found} />}
    </QueryView>
  )
}

function TaskView({ task }: { task: AssemblyTaskDetail }) {
  const mayWrite = useMay('write')
  const change = useChangeAssembly(task.id)
  const confirm = useConfirm()
  const names = useMemberNames()
  const { tone, word } = assemblyStatuses[task.status]
  const left = unitsLeft(task)
  const missing = task.parts.filter((part) => part.missing > 0)

  const set = (status: 'in_progress' | 'cancelled', done: string) =>
    change.mutate(
      { status },
      {
        onSuccess: () => toastDone(done),
        onError: (error) => toastFailed(t('The assembly task could not be changed'), error),
      },
    )
  const cancel = async () => {
    const isSure = await confirm({
      title: t('Cancel the assembly of {sku}?', { sku: task.sku }),
      body: t('No stock moves: assembled units stay in stock, and the remaining ones are no longer needed.'),
      confirmLabel: t('Cancel the task'),
      cancelLabel: t('Keep it'),
      isDangerous: true,
    })
    if (isSure) set('cancelled', t('The assembly of {sku} is cancelled', { sku: task.sku }))
  }
  return (
    <>
      <PageHeader
        title={t('Assemble {sku}', { sku: task.sku })}
        documentTitle={t('{sku}, assembly', { sku: task.sku })}
        badge={<StatusBadge tone={tone}>{word}</StatusBadge>}
        description={
          <>
            <LinkText to="/assembly">{t('Assembly')}</LinkText> ·{' '}
            <LinkText to="/skus/$skuId" params={{ skuId: task.product_sku_id }}>
              {task.product_name}
            </LinkText>
          </>
        }
        actions={
          mayWrite &&
          isOpen(task) && (
            <>
              {task.status === 'pending' && (
                <Button
                  variant="default"
                  leftSection={<Icon name="play" size={16} />}
                  loading={change.isPending}
                  onClick={() => set('in_progress', t('The assembly of {sku} is in progress', { sku: task.sku }))}
                >
                  {t('Begin')}
                </Button>
              )}
              <Button variant="default" leftSection={<Icon name="close" size={16} />} onClick={() => void cancel()}>
                {t('Cancel the task…')}
              </Button>
            </>
          )
        }
      />
      <div className="assembly-bench">
        <Stack gap="md">
          {task.parts.length > 0 && isOpen(task) && (
            <Panel title={t('Parts for {left, plural, one {# unit} other {# units}}', { left })}>
              {missing.length > 0 && (
                <Text size="sm" mb="xs">
                  {t('Some parts are missing for all of them: fewer units can still be put together and booked.')}
                </Text>
              )}
              <PartList parts={task.parts} />
            </Panel>
          )}
          <Panel title={task.wiki_article?.title ?? t('Instructions')}>
            {task.wiki_article ? (
              <ArticleBody content={task.wiki_article.content} sections={task.wiki_article.sections} />
            ) : (
              <Text c="dimmed">
                <Rich
                  text="No published article says how this is put together: write one in the <link>wiki</link> and name its SKU there."
                  values={{
                    link: (words) => (
                      <LinkText to="/wiki" underline="always">
                        {words}
                      </LinkText>
                    ),
                  }}
                />
              </Text>
            )}
          </Panel>
        </Stack>
        <div className="assembly-count">
          <Panel title={isOpen(task) ? t('{left, plural, one {# unit} other {# units}} left', { left }) : t('Count')}>
            <Stack gap="md">
              <Group align="flex-start" wrap="nowrap">
                <Picture address={thumbnailOf(task.image_url)} icon="assembly" size="row" />
                <Facts
                  facts={[
                    [
                      t('Done'),
                      t('{quantity_completed} of {quantity}', {
                        quantity_completed: formatCount(task.quantity_completed),
                        quantity: formatCount(task.quantity),
                      }),
                    ],
                    [t('Rejected'), task.quantity_rejected > 0 ? formatCount(task.quantity_rejected) : null],
                    [t('Kind'), assemblyKinds[task.kind]],
                    [
                      t('Assignee'),
                      task.assigned_to === null ? null : (names.get(task.assigned_to) ?? t('A former member')),
                    ],
                    [t('Asked for'), <Time key="at" at={task.created_at} />],
                    [t('Ended'), task.completed_at === null ? null : <Time key="end" at={task.completed_at} />],
                  ]}
                />
              </Group>
              {mayWrite && isOpen(task) && <CountForm task={task} />}
              {task.notes !== '' && <Text className="assembly-notes">{task.notes}</Text>}
              <ForOrders orders={task.for_orders} />
            </Stack>
          </Panel>
        </div>
      </div>
    </>
  )
}
