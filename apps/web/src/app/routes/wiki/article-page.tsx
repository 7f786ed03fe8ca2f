import { Button, Stack, Tabs, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { skuQuery } from '../../../features/skus/skus.api.ts'
import { RevisionList } from '../../../features/wiki/revision-list.tsx'
import { useWikiActions } from '../../../features/wiki/use-wiki-actions.ts'
import { articleQuery } from '../../../features/wiki/wiki.api.ts'
import type { WikiArticle } from '../../../lib/api/api-schema.generated.ts'
import { formatMinutes } from '../../../lib/format.ts'
import { Rich } from '../../../lib/i18n/rich.tsx'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { ArticleBody } from '../../../ui/article/article-body.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { LinkButton } from '../../../ui/link-button.tsx'
import { LinkText } from '../../../ui/link-text.tsx'
import { Facts } from '../../../ui/lists/facts.tsx'
import { StatusBadge } from '../../../ui/lists/status-badge.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'
import { Time } from '../../../ui/time.tsx'

const route = getRouteApi('/member/shell/wiki/$articleId')

const difficultyWords = { easy: t('Easy'), medium: t('Medium'), hard: t('Hard') }

export function ArticlePage() {
  const { articleId } = route.useParams()
  const article = useQuery(articleQuery(articleId))
  return (
    <QueryView query={article} failed={t('The article could not be read')}>
      {(found) => <ArticleView article={found} />}
    </QueryView>
  )
}

function ArticleView({ article }: { article: WikiArticle }) {
  const { tab, revision } = route.useSearch()
  const navigate = route.useNavigate()
  const mayWrite = useMay('write')
  const actions = useWikiActions()
  const isBusy = actions.busyId === article.id
  const remove = async () => {
    if (await actions.remove(article)) await navigate({ to: '/wiki', search: {} })
  }
  return (
    <>
      <PageHeader
        title={article.title}
        documentTitle={t('{title}, wiki', { title: article.title })}
        badge={
          <StatusBadge tone={article.is_published ? 'done' : 'resting'}>
            {article.is_published ? t('Published') : t('Draft')}
          </StatusBadge>
        }
        description={
          <>
            <LinkText to="/wiki">{t('Wiki')}</LinkText>
            <Rich
              text="{category} · changed {time}"
              values={{
                category: article.category !== '' && (
                  <>
                    {' · '}
                    <LinkText to="/wiki" search={{ category: article.category }}>
                      {article.category}
                    </LinkText>
                  </>
                ),
                time: <Time at={article.updated_at} />,
              }}
            />
          </>
        }
        actions={
          mayWrite && (
            <>
              <LinkButton
                to="/wiki/$articleId/edit"
                params={{ articleId: article.id }}
                leftSection={<Icon name="edit" size={16} />}
              >
                {t('Edit')}
              </LinkButton>
              <Button
                variant="default"
                loading={isBusy}
                onClick={() => void (article.is_published ? actions.unpublish(article) : actions.publish(article))}
              >
                {article.is_published ? t('Take it back…') : t('Publish')}
              </Button>
              <Button variant="default" leftSection={<Icon name="trash" size={16} />} onClick={() => void remove()}>
                {t('Delete…')}
              </Button>
            </>
          )
        }
      />
      <Tabs
        value={tab ?? 'read'}
        onChange={(chosen) =>
          void navigate({ search: chosen === 'revisions' ? { tab: 'revisions' } : {}, replace: true })
        }
        keepMounted={false}
      >
        <Tabs.List aria-label={t('Article')}>
          <Tabs.Tab value="read" className="touch-target">
            {t('Read')}
          </Tabs.Tab>
          <Tabs.Tab value="revisions" className="touch-target">
            {t('Revisions')}
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="read" pt="md">
          <Stack gap="md">
            <About article={article} />
            <Panel>
              {article.content === '' && article.sections.length === 0 ? (
                <Text c="dimmed">{t('It has no text yet.')}</Text>
              ) : (
                <ArticleBody content={article.content} sections={article.sections} />
              )}
            </Panel>
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="revisions" pt="md">
          <RevisionList
            article={article}
            chosen={revision === undefined ? undefined : Number(revision)}
            mayWrite={mayWrite}
          />
        </Tabs.Panel>
      </Tabs>
    </>
  )
}

function About({ article }: { article: WikiArticle }) {
  const { excerpt, description, estimated_time_minutes, difficulty, tools_required, tags, sku_id } = article
  const sku = useQuery({ ...skuQuery(sku_id ?? ''), enabled: sku_id !== null }).data
  const facts = [
    [t('Takes'), estimated_time_minutes === null ? null : formatMinutes(estimated_time_minutes)],
    [t('Difficulty'), difficulty === null ? null : difficultyWords[difficulty]],
    [t('Tools'), tools_required.join(', ')],
    [t('Tags'), tags.join(', ')],
    [
      t('Shown with'),
      sku && (
        <LinkText key="sku" to="/skus/$skuId" params={{ skuId: sku.id }} inherit>
          {sku.sku}
        </LinkText>
      ),
    ],
  ] as const
  const isEmpty = facts.every(([, value]) => !value) && excerpt === '' && description === ''
  if (isEmpty) return null
  return (
    <Panel title={t('In short')}>
      {excerpt !== '' && <Text mb="sm">{excerpt}</Text>}
      {description !== '' && <Text mb="sm">{description}</Text>}
      <Facts isGrid facts={facts} />
    </Panel>
  )
}
