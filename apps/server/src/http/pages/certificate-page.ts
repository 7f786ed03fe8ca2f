import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { generate } from 'lean-qr'
import { toSvgPath } from 'lean-qr/extras/svg'
import { escapeHtml } from '../../kernel/escape-html.ts'
import { namesOf } from '../../tls/certificate-pair.ts'
import { authorityPath, certificatePath } from '../../tls/certificate-paths.ts'
import type { ServedCertificate } from '../../tls/served-certificate.ts'
import { answerPolicy, pageHeaders } from '../request/browser-headers.ts'
import type { App } from '../types.ts'

/** An answer that is written as it stands. */
export interface Page {
  status: number
  headers: Record<string, string>
  body: string
}

/** The same page over HTTPS, for those who open it at a computer and point a phone at its code. */
export function certificateRoutes(app: App, certificate: ServedCertificate): void {
  const make = {
    [certificatePath]: (host: string) => makeCertificatePage(certificate, { host, isEncrypted: true }),
    [authorityPath]: () => makeAuthorityFile(certificate),
  }
  for (const [path, makeAnswer] of Object.entries(make)) {
    app.get(path, { schema: { hide: true } }, async (request, reply) => {
      const { status, headers, body } = makeAnswer(request.host)
      return reply.code(status).headers(headers).send(body)
    })
  }
}

/** The public certificate of the local authority; never a key. */
export function makeAuthorityFile({ pair: { authority } }: ServedCertificate): Page {
  if (authority === undefined)
    return text(404, 'The certificate of this service is not from an authority of its own.\n')
  return {
    status: 200,
    headers: {
      // Phones offer to install what has this type.
      'Content-Type': 'application/x-x509-ca-cert',
      'Content-Disposition': 'attachment; filename="printyard-ca.crt"',
      'Content-Security-Policy': answerPolicy,
    },
    body: authority.toString(),
  }
}

/** Says how a device is told to trust this service, with a code that leads a phone to this page. */
export function makeCertificatePage(
  { pair: { authority, leaf, endsAt } }: ServedCertificate,
  { host, isEncrypted }: { host: string; isEncrypted: boolean },
): Page {
  if (authority === undefined) {
    return text(404, 'Devices trust the certificate of this service already: it is not from an authority of its own.\n')
  }
  const reached = reachableHost(host, namesOf(leaf))
  // In plain text: a phone that does not trust the service yet would be warned of it.
  const pageUrl = `http://${reached}${certificatePath}`
  const serviceUrl = `https://${reached}/`
  const nonce = randomBytes(16).toString('base64')
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      ...pageHeaders,
    },
    body: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Trust this Printyard</title>
<style nonce="${nonce}">${style}</style>
</head>
<body>
<main>
<h1>Trust this Printyard</h1>
<p>This service has a certificate from an authority of its own, <strong>${escapeHtml(nameOf(authority.subject))}</strong>. Phones and
computers use its camera, notifications and the installed app once they trust that authority.</p>
${isEncrypted ? '' : '<p class="note">This page came unencrypted: compare the fingerprint below with the one that <code>printyard tls self-signed</code> has printed before you trust it.</p>'}
<p><a class="button" href="${authorityPath}">Download the certificate</a></p>
<h2>iPhone and iPad</h2>
<ol>
<li>Open this page in Safari, download, and allow the profile.</li>
<li>Settings, General, VPN &amp; Device Management: install the downloaded profile.</li>
<li>Settings, General, About, Certificate Trust Settings: switch on full trust for it.</li>
</ol>
<h2>Android</h2>
<ol>
<li>Download the certificate.</li>
<li>Settings, Security &amp; privacy, More security settings, Encryption &amp; credentials, Install a certificate, CA certificate.</li>
<li>Choose the downloaded file. Firefox: Settings, About Firefox, tap the logo five times; Secret settings, Use third party CA certificates.</li>
</ol>
<h2>Computers</h2>
<p>Windows: open the file, install it for this computer into “Trusted Root Certification Authorities”. macOS: open it in Keychain Access and set it
to “Always Trust”. Linux: copy it to <code>/usr/local/share/ca-certificates/</code> and run <code>sudo update-ca-certificates</code>.</p>
<h2>Then</h2>
<p>Open <a href="${escapeHtml(serviceUrl)}">${escapeHtml(serviceUrl)}</a>.</p>
<h2>From a phone</h2>
<figure>${drawCode(pageUrl)}<figcaption>${escapeHtml(pageUrl)}</figcaption></figure>
<h2>What is trusted</h2>
<dl>
<dt>Fingerprint (SHA-256)</dt><dd><code>${authority.fingerprint256}</code></dd>
<dt>Authority until</dt><dd>${dayOf(authority.validToDate)}</dd>
<dt>Certificate of this service until</dt><dd>${dayOf(endsAt)}</dd>
</dl>
</main>
</body>
</html>
`,
  }
}

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { margin: 0; padding: 1rem }
main { max-width: 42rem; margin: 0 auto }
code { overflow-wrap: anywhere }
.button { display: inline-block; padding: 0.75rem 1.25rem; border-radius: 0.5rem; background: #1c5fb8; color: #fff; text-decoration: none }
.note { border-left: 0.25rem solid #b26a00; padding-left: 0.75rem }
figure { margin: 0 }
svg { width: 14rem; max-width: 100%; background: #fff; color: #000 }
dt { font-weight: 600 }
dd { margin: 0 0 0.5rem }
`

/** What scanners need around a code, in modules of it. */
const quietModules = 4

function drawCode(url: string): string {
  const code = generate(url)
  const whole = code.size + 2 * quietModules
  return `<svg viewBox="${-quietModules} ${-quietModules} ${whole} ${whole}" role="img" aria-label="Code of the address of this page" shape-rendering="crispEdges"><path d="${toSvgPath(code)}" fill="currentColor" fill-rule="evenodd"/></svg>`
}

/** The host as it was asked for, or one that other machines reach too where that means this machine alone. */
export function reachableHost(host: string, names: readonly string[]): string {
  const { hostname, port } = URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : { hostname: '', port: '' }
  if (!isOnlyHere(hostname)) return host
  const others = names.filter((name) => !isOnlyHere(name))
  const best = others.find((name) => isIP(name) === 4) ?? others[0]
  if (best === undefined) return host
  return `${isIP(best) === 6 ? `[${best}]` : best}${port === '' ? '' : `:${port}`}`
}

function isOnlyHere(name: string): boolean {
  return name === '' || name === 'localhost' || name === '::1' || name === '[::1]' || name.startsWith('127.')
}

/** The common name in a subject as OpenSSL writes it. */
function nameOf(subject: string): string {
  return /^CN=(.*)$/m.exec(subject)?.[1] ?? subject
}

const dayOf = (date: Date) => date.toISOString().slice(0, 10)

function text(status: number, body: string): Page {
  return {
    status,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Content-Security-Policy': answerPolicy },
    body,
  }
}
