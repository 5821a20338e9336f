<<<<<<<< HEAD:server/vinci_server/web/page/assets/current-Bj4P8_Z7.js
import{D as e,k as t}from"./index-BvOSF3eo.js";var{read:n,write:r}=t(()=>localStorage),i=`vinci-tutorial`;function a(e){r(i,e)}function o(e){return n(i)===e}function s(){let t=n(i);return t!==void 0&&e(t)?t:void 0}export{a as n,s as r,o as t};
========
import{D as e,k as t}from"./index-CqBEQA_W.js";var{read:n,write:r}=t(()=>localStorage),i=`vinci-tutorial`;function a(e){r(i,e)}function o(e){return n(i)===e}function s(){let t=n(i);return t!==void 0&&e(t)?t:void 0}export{a as n,s as r,o as t};
>>>>>>>> 728c366f (Build the page):server/vinci_server/web/page/assets/current-DcBqcEoK.js
