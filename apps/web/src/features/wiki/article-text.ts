import type { WikiRevisionDetail } from '../../lib/api/api-schema.generated.ts'
import { t } from '../../lib/i18n/t.ts'

type ArticleText = WikiRevisionDetail['article']

/** All that an article says, line by line, so that two of its revisions can be compared. */
export function linesOf(article: ArticleText): string {
  const facts = [
    [t('Title'), article.title],
    [t('Excerpt'), article.excerpt],
    [t('Category'), article.category],
    [t('Tags'), article.tags.join(', ')],
    [t('Tools'), article.tools_required.join(', ')],
    [t('Difficulty'), article.difficulty ?? ''],
    [t('Minutes'), article.estimated_time_minutes === null ? '' : String(article.estimated_time_minutes)],
    [t('Product'), article.product_id ?? ''],
    ['SKU', article.sku_id ?? ''],
  ]
  const sections = article.sections.flatMap((section) => [
    '',
    [section.type, section.number, section.title].filter((part) => part !== null && part !== '').join(' '),
    ...[section.description, section.content, section.image_url, section.notes, ...section.warnings].filter(Boolean),
  ])
  return [
    ...facts.flatMap(([name, value]) => (value === '' ? [] : [`${name}: ${value}`])),
    ...(article.content === '' ? [] : ['', article.content]),
    ...sections,
    '',
  ].join('\n')
}
