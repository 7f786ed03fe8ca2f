import { Stack, Text, Title } from '@mantine/core'
import { t } from '../../lib/i18n/t.ts'
import { StatusBadge } from '../lists/status-badge.tsx'
import { Markdown } from './markdown.tsx'
import { addressOfLink, addressOfPicture } from './safe-addresses.ts'
import './article-body.css'

interface ArticleSection {
  id: string
  type: 'subtitle' | 'step' | 'note' | 'warning'
  number: number | null
  title: string
  content: string
  description: string
  image_url: string
  notes: string
  warnings: readonly string[]
}

interface ArticleBodyProps {
  content: string
  sections: readonly ArticleSection[]
}

/** What an article says: its text, then its sections with their pictures. */
export function ArticleBody({ content, sections }: ArticleBodyProps) {
  return (
    <Stack gap="md" className="article-body">
      {content.trim() !== '' && <Markdown text={content} />}
      {sections.map((section) => (
        <Section key={section.id} section={section} />
      ))}
    </Stack>
  )
}

function Section({ section }: { section: ArticleSection }) {
  const { type, number, title, content, description, notes, warnings } = section
  const heading = type === 'step' && number !== null ? `${number}. ${title}` : title
  if (type === 'subtitle') {
    return (
      <div>
        <Title order={3}>{heading || content}</Title>
        {heading !== '' && content !== '' && <Markdown text={content} />}
      </div>
    )
  }
  return (
    <section className="article-section" data-type={type}>
      <div>
        {type !== 'step' && (
          <StatusBadge tone={type === 'warning' ? 'trouble' : 'resting'}>
            {type === 'warning' ? t('Warning') : t('Note')}
          </StatusBadge>
        )}
        {heading.trim() !== '' && (
          <Title order={3} className="article-step">
            {heading}
          </Title>
        )}
        {description !== '' && <Text c="dimmed">{description}</Text>}
        {content !== '' && <Markdown text={content} />}
        {notes !== '' && (
          <Text size="sm" c="dimmed" mt={4}>
            {notes}
          </Text>
        )}
        {warnings.map((warning) => (
          <div key={warning} className="article-warning">
            <StatusBadge tone="trouble">{t('Warning')}</StatusBadge> {warning}
          </div>
        ))}
      </div>
      <SectionPicture section={section} />
    </section>
  )
}

function SectionPicture({ section: { image_url, title } }: { section: ArticleSection }) {
  if (image_url === '') return null
  const own = addressOfPicture(image_url)
  if (own !== undefined) return <img src={own} alt={title} loading="lazy" className="article-picture" />
  const elsewhere = addressOfLink(image_url)
  return elsewhere === undefined ? null : (
    <a href={elsewhere} target="_blank" rel="noopener noreferrer">
      {t('Picture elsewhere')}
    </a>
  )
}
