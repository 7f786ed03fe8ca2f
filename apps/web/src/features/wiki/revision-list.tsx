import { Button, Group, Stack, Text } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { WikiArticle } from '../../lib/api/api-schema.generated.ts'
import { morePages, rowsOf } from '../../lib/api/paged-query.ts'
import { t } from '../../lib/i18n/t.ts'
import { actorWords } from '../../lib/words/actor-words.ts'
import { Icon } from '../../ui/icon.tsx'
import { LinkText } from '../../ui/link-text.tsx'
import { ListRow } from '../../ui/lists/list-row.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { QueryView } from '../../ui/page/query-view.tsx'
import { Time } from '../../ui/time.tsx'
import { linesOf } from './article-text.ts'
import { RevisionDiff } from './revision-diff.tsx'
import { useWikiActions } from './use-wiki-actions.ts'
import { revisionQuery, revisionsQuery } from './wiki.api.ts'

const fieldWords = (fields: readonly string[]) => fields.map((field) => field.replaceAll('_', ' ')).join(', ')

interface RevisionListProps {
  article: WikiArticle
  /** The one that is compared with the one before it; undefined: the newest. */
  chosen: number | undefined
  mayWrite: boolean
}

/** Who changed an article when, and what each change was. */
export function RevisionList({ article, chosen, mayWrite }: RevisionListProps) {
  const list = useInfiniteQuery(revisionsQuery(article.id))
  return (
    <QueryView query={list} failed={t('The revisions could not be read')}>
      {(data) => {
        const revisions = rowsOf(data) ?? []
        const newest = revisions[0]?.number ?? 1
        const shown = chosen ?? newest
        const { onMore, isLoadingMore } = morePages(list)
        return (
          <Stack gap="md">
            <Revision article={article} number={shown} newest={newest} mayWrite={mayWrite} />
            <Panel title={t('All revisions')}>
              <ul className="plain-list">
                {revisions.map(({ number, actor, actor_name, created_at, fields }) => (
                  <ListRow
                    key={number}
                    title={
                      <>
                        <LinkText
                          to="/wiki/$articleId"
                          params={{ articleId: article.id }}
                          search={{ tab: 'revisions', revision: String(number) }}
                          fw={600}
                          {...(number === shown && { 'aria-current': 'true' as const })}
                        >
                          {t('Revision {number}', { number })}
                        </LinkText>
                        <Text span size="sm" c="dimmed">
                          {actorWords(actor, actor_name)}, <Time at={created_at} />
                        </Text>
                      </>
                    }
                  >
                    <Text size="sm">
                      {number === 1 ? t('Written') : t('Changed: {fieldWords}', { fieldWords: fieldWords(fields) })}
                    </Text>
                  </ListRow>
                ))}
              </ul>
              {onMore && (
                <Button variant="default" mt="sm" onClick={onMore} loading={isLoadingMore}>
                  {t('Show more')}
                </Button>
              )}
            </Panel>
          </Stack>
        )
      }}
    </QueryView>
  )
}

interface RevisionProps {
  article: WikiArticle
  number: number
  newest: number
  mayWrite: boolean
}

function Revision({ article, number, newest, mayWrite }: RevisionProps) {
  const after = useQuery(revisionQuery(article.id, number))
  const before = useQuery({ ...revisionQuery(article.id, number - 1), enabled: number > 1 })
  const actions = useWikiActions()
  return (
    <Panel
      title={number === 1 ? t('Revision 1: as it was written') : t('Changes of revision {number}', { number })}
      actions={
        mayWrite &&
        number < newest &&
        after.data && (
          <Group gap="xs">
            <Button
              size="xs"
              variant="default"
              leftSection={<Icon name="retry" size={16} />}
              loading={actions.busyId === article.id}
              onClick={() => after.data && void actions.restore(article, number, after.data.article)}
            >
              {t('Bring it back…')}
            </Button>
          </Group>
        )
      }
    >
      <QueryView query={number > 1 && before.error ? before : after} failed={t('The revision could not be read')}>
        {() =>
          after.data && (number === 1 || before.data) ? (
            <RevisionDiff
              before={before.data && number > 1 ? linesOf(before.data.article) : ''}
              after={linesOf(after.data.article)}
            />
          ) : (
            <Text c="dimmed" aria-busy="true">
              {t('Reading…')}
            </Text>
          )
        }
      </QueryView>
    </Panel>
  )
}
