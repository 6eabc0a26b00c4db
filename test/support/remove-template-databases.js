export { removeTemplates as default } from './create-template-folder.js';
