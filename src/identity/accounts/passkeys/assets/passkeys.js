// Passkeys on the sign-in page and the passkeys page (WebAuthn Level 2). The server renders the
// options into the forms. This script passes them to the browser and sends its response as a form.

/** Age at which the script replaces a challenge, which expires after 5 minutes. */
const RENEWAL_MS = 4 * 60_000;

const isIpAddress = /^[\d.]+$|^\[/.test(location.hostname);
const isSupported = Boolean(window.PublicKeyCredential) && !isIpAddress;

/** Events after which the sign-in page offers passkeys: the person is about to use a field. */
const FIRST_ACTIONS = ['pointermove', 'pointerdown', 'keydown', 'focusin'];

/** Whether a form is in progress or was sent, so that a device and a click cannot both send it. */
let isBusy = false;
/** Ends the request that waits for the person. */
let pendingRequest;
let requestedAt = Date.now();

const findSignInForm = () => document.querySelector('form[data-passkey-request]');
const showMessage = (name) => document.querySelector(`[data-passkey-${name}]`)?.removeAttribute('hidden');

function toBytes(base64url) {
  const base64 = base64url.replaceAll('-', '+').replaceAll('_', '/');
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

function toBase64url(buffer) {
  const base64 = btoa(String.fromCharCode(...new Uint8Array(buffer)));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function toJson({ id, type, response, authenticatorAttachment }, members) {
  const values = members.filter((name) => response[name]).map((name) => [name, toBase64url(response[name])]);
  const transports = response.getTransports?.();
  return JSON.stringify({
    id,
    rawId: id,
    type,
    response: { ...Object.fromEntries(values), ...(transports && { transports }) },
    authenticatorAttachment,
    clientExtensionResults: {},
  });
}

async function fetchPage(url, init) {
  const response = await fetch(url, init);
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  return { response, page };
}

/** Sends the form, shows the page of the response, and creates the passkey if it has options. */
async function addPasskey(form) {
  const body = new URLSearchParams(new FormData(form));
  const { response, page } = await fetchPage(form.getAttribute('action'), { method: 'POST', body });
  if (response.redirected) return location.assign(response.url);
  document.querySelector('main').replaceWith(page.querySelector('main'));
  document.title = page.title;
  document.dispatchEvent(new Event('contentreplaced'));
  const next = document.querySelector('form[data-passkey-options]');
  const options = next?.dataset.passkeyOptions;
  if (!options) return document.querySelector('[aria-invalid="true"]')?.focus();
  const publicKey = JSON.parse(options);
  publicKey.challenge = toBytes(publicKey.challenge);
  publicKey.user.id = toBytes(publicKey.user.id);
  publicKey.excludeCredentials = publicKey.excludeCredentials.map((item) => ({ ...item, id: toBytes(item.id) }));
  const credential = await navigator.credentials.create({ publicKey });
  next.elements.credential.value = toJson(credential, ['clientDataJSON', 'attestationObject']);
  next.submit();
}

/** Replaces the challenge of the form with the one of a new page. */
async function renewRequest(form) {
  const { page } = await fetchPage(form.dataset.passkeyPage);
  form.dataset.passkeyRequest = page.querySelector('form[data-passkey-request]').dataset.passkeyRequest;
  requestedAt = Date.now();
}

/** @param mediation `conditional` to offer passkeys in the username field */
async function signIn(form, mediation) {
  pendingRequest?.abort();
  const { signal } = (pendingRequest = new AbortController());
  if (Date.now() - requestedAt >= RENEWAL_MS) await renewRequest(form);
  const publicKey = JSON.parse(form.dataset.passkeyRequest);
  publicKey.challenge = toBytes(publicKey.challenge);
  if (mediation) setTimeout(() => signal.aborted || offerPasskeys(form), requestedAt + RENEWAL_MS - Date.now());
  const credential = await navigator.credentials.get({ publicKey, signal, ...(mediation && { mediation }) });
  if (signal.aborted) return;
  isBusy = true;
  const members = ['clientDataJSON', 'authenticatorData', 'signature', 'userHandle'];
  form.elements.credential.value = toJson(credential, members);
  form.submit();
}

/** Offers passkeys in the username field, again before the challenge expires. */
async function offerPasskeys(form) {
  const isAvailable = await window.PublicKeyCredential.isConditionalMediationAvailable?.();
  const isOffered = pendingRequest && !pendingRequest.signal.aborted && Date.now() - requestedAt < RENEWAL_MS;
  if (isAvailable && !isBusy && !isOffered) await signIn(form, 'conditional').catch(() => undefined);
}

async function act(form, isAddition) {
  if (isBusy || !isSupported) return;
  isBusy = true;
  document.querySelector('[data-passkey-canceled]')?.setAttribute('hidden', '');
  try {
    await (isAddition ? addPasskey(form) : signIn(form));
    if (isAddition) isBusy = false;
  } catch {
    showMessage('canceled');
    isBusy = false;
    pendingRequest?.abort();
    if (!isAddition) await offerPasskeys(form);
  }
}

document.addEventListener('submit', (event) => {
  const form = event.target;
  const isAddition = 'passkeyOptions' in form.dataset && !event.submitter?.hasAttribute('formaction');
  if (!isAddition && form !== findSignInForm()) return;
  event.preventDefault();
  void act(form, isAddition);
});

// A page that returns from the back/forward cache can be used again.
window.addEventListener('pageshow', () => (isBusy = false));

if (!isSupported) showMessage('unsupported');
const signInForm = findSignInForm();
if (signInForm && isSupported) {
  signInForm.hidden = false;
  // A device that responds without the person cannot repeat a rejected response without end.
  if (!('passkeyRejected' in signInForm.dataset)) {
    const offer = () => pendingRequest ?? offerPasskeys(signInForm);
    for (const type of FIRST_ACTIONS) document.addEventListener(type, offer, { once: true });
  }
}
