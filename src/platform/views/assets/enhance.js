// Adds buttons to a page: to each password field one that shows the password, and to each element
// with `data-copy` one that copies its text. A field can have labels of its own. Without this
// script, the page works as usual.

const labels = document.currentScript.dataset;

/** Time for which a button says that the text was copied. */
const COPIED_MS = 4000;

function createButton(label, onClick) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'quiet small';
  button.textContent = label;
  button.addEventListener('click', onClick);
  return button;
}

function addPasswordToggle(input) {
  const { show, hide } = { ...labels, ...input.dataset };
  const button = createButton(show, () => setVisible(input.type === 'password'));
  const setVisible = (isVisible) => {
    input.type = isVisible ? 'text' : 'password';
    button.textContent = isVisible ? hide : show;
  };
  button.setAttribute('aria-controls', input.id);
  // Browsers store and restore only hidden passwords as passwords.
  input.form.addEventListener('submit', () => setVisible(false));
  input.autocapitalize = 'none';
  input.spellcheck = false;
  input.after(button);
}

function addCopyButton(element) {
  const status = document.createElement('span');
  status.setAttribute('aria-live', 'polite');
  const button = createButton(labels.copy, async () => {
    await navigator.clipboard.writeText(element.textContent);
    status.textContent = labels.copied;
    setTimeout(() => (status.textContent = ''), COPIED_MS);
  });
  button.setAttribute('aria-describedby', element.id);
  const row = document.createElement('p');
  row.className = 'copy';
  row.append(button, status);
  element.after(row);
}

function enhance() {
  document.querySelectorAll('input[type=password]').forEach(addPasswordToggle);
  // Browsers expose the clipboard only in secure contexts.
  if (navigator.clipboard) document.querySelectorAll('main [data-copy]').forEach(addCopyButton);
}

document.addEventListener('contentreplaced', enhance);
enhance();
