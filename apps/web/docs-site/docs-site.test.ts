import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { buildSite, findBroken, projectRoot } from './build-docs.ts'
import { readSources, unlisted } from './read-pages.ts'
import { type ApiDescription, listOperations } from './reference/api-description.ts'
import { asCurl, asPython, asTypeScript, exampleRequest } from './reference/request-examples.ts'
import { renderMarkdown } from './render-markdown.ts'
import { makeSlugger, pagePath, readLink } from './site-paths.ts'

const description = JSON.parse(readFileSync(join(projectRoot, 'apps/server/openapi.json'), 'utf8')) as ApiDescription
const { files, broken } = buildSite(projectRoot, description)

describe('the documentation', () => {
  test('every link within it leads to a page, a heading, a picture or a file of the repository', () => {
    expect(broken).toEqual([])
    expect(files.size).toBeGreaterThan(200)
  })

  test('a link to what is not there is found', () => {
    const page = (body: string) => new Map([['a.html', body]])
    expect(findBroken(page('<a href="/docs/gone">x</a>'))).toEqual(['a.html: /docs/gone'])
    expect(findBroken(page('<a href="#gone">x</a>'))).toEqual(['a.html: #gone'])
    expect(findBroken(page('<a href="/printers">x</a>'))).toEqual(['a.html: /printers'])
    expect(findBroken(page('<h2 id="here"></h2><a href="/docs/a#here">x</a>'))).toEqual([])
  })

  test('every file of docs is in the contents or in a folder that they lead to', () => {
    expect(unlisted(readSources(projectRoot))).toEqual([])
  })

  test('every operation of the API has its place in the reference', () => {
    const pages = [...files].filter(([name]) => name.startsWith('api/reference/')).map(([, html]) => String(html))
    for (const { operationId } of listOperations(description)) {
      expect(pages.filter((html) => html.includes(`<h2 id="${operationId}">`)).length, operationId).toBe(1)
    }
  })

  test('every page has one title, no script, no style and no event handler', () => {
    for (const [name, html] of files) {
      if (typeof html !== 'string' || !name.endsWith('.html')) continue
      expect(html.match(/<h1[ >]/g)?.length, name).toBe(1)
      expect(html, name).not.toMatch(/<script|<style|<[^>]+\s(?:on\w+|style)=/)
    }
  })

  test('the index of the search is small', () => {
    expect(Buffer.byteLength(files.get('search.json') ?? '')).toBeLessThan(1_200_000)
  })
})

describe('a text in Markdown', () => {
  const render = (text: string) =>
    renderMarkdown(text, { link: (href, inner) => `[${href}|${inner}]`, image: (href, alt) => `(${href}|${alt})` })

  test('HTML in it is shown as it is typed', () => {
    expect(render('a <b onclick="x">c</b>').html).toBe('<p>a &lt;b onclick=&quot;x&quot;&gt;c&lt;/b&gt;</p>\n')
    expect(render('```\n<script>\n```').html).toContain('&lt;script&gt;')
    expect(render('<img src="a.png" alt="b" width="9">').html).toContain('(a.png|b)')
  })

  test('has anchors as those who host repositories make them, and parts for the search', () => {
    const { title, html, sections } = render('# Title\nOne.\n## A `code` & more\nTwo.\n## A code  more')
    expect(title).toBe('Title')
    expect(html).toContain('<h2 id="a-code--more">')
    expect(html).toContain('<h2 id="a-code--more-1">')
    expect(sections).toEqual([
      { heading: 'Title', anchor: '', text: 'One.' },
      { heading: 'A code & more', anchor: 'a-code--more', text: 'Two.' },
      { heading: 'A code  more', anchor: 'a-code--more-1', text: '' },
    ])
    expect(['X', 'x', 'X'].map(makeSlugger())).toEqual(['x', 'x-1', 'x-2'])
  })

  test.each([
    ['../cli.md#doctor', 'docs/operating/a.md', { kind: 'file', path: 'docs/cli.md', hash: 'doctor' }],
    ['#here', 'docs/a.md', { kind: 'file', path: 'docs/a.md', hash: 'here' }],
    ['https://example.com', 'docs/a.md', { kind: 'outside', href: 'https://example.com' }],
  ])('%s in %s', (href, source, target) => {
    expect(readLink(href, source)).toEqual(target)
  })

  test('pages have the address of their file', () => {
    expect(['docs/hub/README.md', 'docs/hub/bambu.md', 'README.md', 'apps/x.md'].map(pagePath)).toEqual([
      'hub',
      'hub/bambu',
      'overview',
      undefined,
    ])
  })
})

describe('examples of requests', () => {
  const operations = listOperations(description)

  test('in Python are programs', () => {
    const programs = operations.map((operation) => asPython(exampleRequest(operation, description)))
    const check = 'import json, sys\nfor text in json.load(sys.stdin): compile(text, "example", "exec")'
    execFileSync('python3', ['-c', check], { input: JSON.stringify(programs) })
  })

  test('for the shell are one command each', () => {
    const commands = operations.map((operation) => asCurl(exampleRequest(operation, description)))
    execFileSync('sh', ['-n'], { input: commands.join('\n') })
    for (const command of commands) expect(command).toMatch(/^curl "\$PRINTYARD_URL\/(?:public|hub)\/v1[^{}"]*"/)
  })

  test('write texts with quotes, and leave out what is not required', () => {
    const [operation] = operations.filter(({ operationId }) => operationId === 'createProduct')
    if (operation === undefined) throw new Error('no createProduct')
    const content = operation.requestBody?.content['application/json']
    const named = {
      ...operation,
      requestBody: { content: { 'application/json': { ...content, example: { name: 'it\'s "5"', category: 'x' } } } },
    }
    const request = exampleRequest(named, description)
    expect(request.body?.value).toEqual({ name: 'it\'s "5"' })
    expect(asCurl(request)).toContain(`--data '{"name":"it'\\''s \\"5\\""}'`)
    expect(asTypeScript(request, 'products.create')).toContain(`name: 'it\\'s "5"'`)
    expect(asPython(request)).toContain(`"name": "it's \\"5\\""`)
  })
})
